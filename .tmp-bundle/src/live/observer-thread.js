import { o as systemClock } from "../parts/clock-Cypo2bh8.js";
import { n as giveStartMemoryBack } from "../parts/garbage-CDjWsMak.js";
import { t as yieldToOthers } from "../parts/niceness-DNuVgaKP.js";
import { t as createObservers } from "../parts/local-observers-CI41p7f1.js";
import { parentPort, workerData } from "node:worker_threads";

// src/live/observer-thread.ts
/** The thread that looks things up. It holds no fact longer than it takes to hand it over. */
if (!parentPort) throw new Error("observer-thread.ts runs on a worker thread only");
const port = parentPort;
yieldToOthers(6);
const observers = createObservers(workerData, systemClock);
import("undici");
giveStartMemoryBack();
let answers = [];
const send = (message) => port.postMessage(message);
function sendAnswers() {
	const batch = answers;
	answers = [];
	send({ answers: batch });
}
port.on("message", async (message) => {
	if ("bootstrap" in message) observers.useBootstrap(message.bootstrap);
	else if ("asks" in message) send({
		id: message.id,
		says: await observers[message.asks]()
	});
	else for (const [id, sort, name, urgent] of message.questions) observers.observe(sort, name, { urgent }).then((observation) => {
		if (answers.push([id, observation]) === 1) setImmediate(sendAnswers);
	});
});

export {  };