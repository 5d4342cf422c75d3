import { a as checkParams } from "../parts/sql-DF74iSw8.js";
import { t as StatementCache } from "../parts/sqlite-statements-58X4Bw7R.js";
import { createRequire } from "node:module";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";

// src/db/sqlite-worker.ts
/**
* The thread that holds SQLite's one writing connection, so that the event loop never waits for the disk. It answers
* requests strictly in order; who may send when is decided by the queue in sqlite.ts. Requests made together come in one
* message and are answered in one, because a message costs more than most statements.
*/
const options = workerData;
const port = parentPort;
if (!port) throw new Error("sqlite-worker runs only as a worker thread");
const NONE = [];
const DIALECT = {
	engine: "sqlite",
	forUpdate: "",
	forUpdateSkipLocked: ""
};
const load = createRequire(new URL("sqlite-worker.js", import.meta.url).href);
const routines = /* @__PURE__ */ new Map();
let database;
let statements;
let busyTimeoutMs = options.busyTimeoutMs;
function open() {
	database = new DatabaseSync(options.file, {
		timeout: options.busyTimeoutMs,
		enableForeignKeyConstraints: true
	});
	database.exec("pragma journal_mode = wal");
	database.exec("pragma synchronous = full");
	database.exec("pragma journal_size_limit = 67108864");
	statements = new StatementCache(database);
}
function begin(lockTimeoutMs) {
	if (lockTimeoutMs !== busyTimeoutMs) {
		busyTimeoutMs = lockTimeoutMs;
		database?.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
	}
	database?.exec("begin immediate");
}
function rollback() {
	if (database?.isTransaction) database.exec("rollback");
}
function routineOf(module, name) {
	const id = `${name} ${module}`;
	const known = routines.get(id);
	if (known) return known;
	const routine = load(fileURLToPath(module))[name];
	if (!routine) throw new Error(`${module} exports no ${name}`);
	routines.set(id, routine);
	return routine;
}
/** Carries a routine out. `finish` makes the replies before the commit, so that after it nothing can go wrong. */
function runRoutine(routine, input, lockTimeoutMs, finish) {
	const cache = statements;
	if (!database || !cache) throw new Error("the database is closed");
	begin(lockTimeoutMs);
	try {
		const rounds = routine.start(input, DIALECT);
		let step = rounds.next();
		while (!step.done) step = rounds.next(step.value.map(({ text, params }) => {
			checkParams(params);
			return cache.all(text, params);
		}));
		for (const { text, params } of step.value.last) {
			checkParams(params);
			cache.run(text, params);
		}
		const finished = finish(step.value.output);
		database.exec("commit");
		return finished;
	} catch (error) {
		rollback();
		throw error;
	}
}
/** Routines that wait behind each other, as one transaction where they go together; otherwise one after the other. */
function answerRoutines(requests) {
	return (requests.length > 1 ? answerJoined(requests) : void 0) ?? requests.map(answer);
}
function answerJoined(requests) {
	try {
		const [{ module, name, lockTimeoutMs }] = requests;
		const routine = routineOf(module, name);
		const inputs = requests.map((request) => JSON.parse(request.input));
		const { joining } = routine;
		const input = joining?.join(inputs);
		if (!joining || input === void 0) return void 0;
		return runRoutine(routine, input, lockTimeoutMs, (output) => {
			const outputs = joining.part(output, inputs);
			return requests.map(({ id }, i) => ({
				id,
				result: JSON.stringify(outputs[i])
			}));
		});
	} catch {
		return;
	}
}
function run(request) {
	if (!database || !statements) throw new Error("the database is closed");
	switch (request.op) {
		case "query in transaction":
			if (!database.isTransaction) throw new Error("the transaction is over");
			return statements.all(request.text, request.params);
		case "query": return statements.all(request.text, request.params);
		case "routine": {
			const { module, name, input, lockTimeoutMs } = request;
			return runRoutine(routineOf(module, name), JSON.parse(input), lockTimeoutMs, JSON.stringify);
		}
		case "begin":
			begin(request.lockTimeoutMs);
			return NONE;
		case "commit":
			database.exec("commit");
			return NONE;
		case "rollback":
			rollback();
			return NONE;
		case "close":
			database.close();
			database = void 0;
			return NONE;
	}
}
function failureOf(error) {
	const errcode = error instanceof Error && "errcode" in error ? Number(error.errcode) : void 0;
	return error instanceof Error ? {
		name: error.name,
		message: error.message,
		errcode
	} : {
		name: "Error",
		message: String(error),
		errcode
	};
}
function answer(request) {
	try {
		return {
			id: request.id,
			result: run(request)
		};
	} catch (error) {
		return {
			id: request.id,
			failure: failureOf(error)
		};
	}
}
function goesWith(first, other) {
	return other?.op === "routine" && other.module === first.module && other.name === first.name && other.lockTimeoutMs === first.lockTimeoutMs;
}
function answerAll(requests) {
	const replies = [];
	for (let i = 0; i < requests.length;) {
		const first = requests[i];
		i++;
		if (first.op !== "routine") {
			replies.push(answer(first));
			continue;
		}
		const together = [first];
		for (let next = requests[i]; goesWith(first, next); next = requests[i]) {
			together.push(next);
			i++;
		}
		replies.push(...answerRoutines(together));
	}
	return replies;
}
port.on("message", (first) => {
	const requests = [...first];
	for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) requests.push(...more.message);
	port.postMessage(answerAll(requests));
	if (requests.some((request) => request.op === "close")) port.close();
});
try {
	open();
	port.postMessage([{
		id: 0,
		result: NONE
	}]);
} catch (error) {
	port.postMessage([{
		id: 0,
		failure: failureOf(error)
	}]);
	port.close();
}

export {  };