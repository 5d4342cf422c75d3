import { a as refuseWeakSecret, i as readEnvironment, n as ConfigError, o as trustsAnybody, r as parseConfig, t as CONFIG_KEYS } from "./config-DJpv5Jli.js";

export { parseConfig, readEnvironment };