import { n as resultsFrame, t as createRemoteEngine } from "./remote-DeLTtDx6.js";

export { createRemoteEngine };