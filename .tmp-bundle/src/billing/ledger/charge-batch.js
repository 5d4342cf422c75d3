import { n as foreseeRefusal, t as chargeBatch } from "../../parts/charge-batch-DU4DO7eT.js";

export { chargeBatch, foreseeRefusal };