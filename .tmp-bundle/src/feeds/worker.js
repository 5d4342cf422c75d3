import { i as isOutlier, n as createFeedWorker, r as ingest, t as compileFeeds } from "../parts/worker-Cpb_pN4u.js";

export { compileFeeds, createFeedWorker, ingest, isOutlier };