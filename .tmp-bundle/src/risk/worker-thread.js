import { n as Problem } from "../parts/errors-BqwugPUl.js";
import { t as yieldToOthers } from "../parts/niceness-DNuVgaKP.js";
import { n as snapshotFromShared } from "../parts/read-BljDd-eC.js";
import { f as workOnList, u as readFactTexts } from "../parts/request-zJkArTbk.js";
import { a as ParsedLists, s as loadModels, t as createScorer } from "../parts/score-C-gpwMxk.js";
import { parentPort } from "node:worker_threads";

// src/risk/worker-thread.ts
/** Lists yield to the requests that are answered meanwhile. */
const NICENESS = 5;
if (!parentPort) throw new Error("worker-thread.ts runs on a worker thread only");
const port = parentPort;
yieldToOthers(NICENESS);
const models = loadModels();
const lists = new ParsedLists();
let scorer;
port.on("message", (request) => {
	if ("forget" in request) {
		lists.forget(request.forget);
		return;
	}
	if (request.shared) scorer = createScorer(snapshotFromShared(request.shared), models);
	port.postMessage(answerTo(request));
});
function answerTo({ id, kind, task, body, from, to, facts, nowMs }) {
	let texts;
	try {
		texts = lists.textsOf(kind, body);
	} catch (error) {
		if (!(error instanceof Problem)) throw error;
		return {
			id,
			problem: error.plain()
		};
	}
	const known = facts && readFactTexts(facts);
	return {
		id,
		...workOnList({
			kind,
			texts: texts.slice(from, to),
			task,
			facts: known,
			nowMs
		}, scorerHere)
	};
}
function scorerHere() {
	if (!scorer) throw new Error("a slice came before any snapshot");
	return scorer;
}

export {  };