import { o as systemClock } from "./clock-Cypo2bh8.js";
import { t as iso } from "./time-text-Dd5R05a3.js";
import { fstatSync, write, writeSync } from "node:fs";

// src/ops/log-output.ts
const STANDARD_OUTPUT = 1;
const FLUSH_MS = 200;
const PIECE_BYTES = 8192;
const WAITING_BYTES_MAX = 1048576;
function createLogOutput(sink, { bytesMax = WAITING_BYTES_MAX } = {}) {
	let lines = [];
	let waitingBytes = 0;
	let piece;
	let writing = false;
	let failing = false;
	let dropped = 0;
	let droppedTold = 0;
	function takePiece() {
		const told = dropped > droppedTold ? [droppedLine(dropped - droppedTold)] : [];
		droppedTold = dropped;
		const bytes = Buffer.from([...told, ...lines].join(""));
		lines = [];
		waitingBytes = 0;
		return bytes;
	}
	function flush() {
		if (writing || piece === void 0 && lines.length === 0 && dropped === droppedTold) return;
		piece ??= takePiece();
		writing = true;
		sink.write(piece, (error, written) => {
			writing = false;
			failing = Boolean(error);
			piece = piece !== void 0 && written < piece.length ? piece.subarray(written) : void 0;
			if (!failing && (piece !== void 0 || waitingBytes >= PIECE_BYTES)) flush();
		});
	}
	return {
		linesDropped: () => dropped,
		flush,
		write(line) {
			const bytes = Buffer.byteLength(line);
			if (waitingBytes + bytes > bytesMax) {
				dropped++;
				return;
			}
			lines.push(line);
			waitingBytes += bytes;
			if (waitingBytes >= PIECE_BYTES && !failing) flush();
		},
		/** What nobody has begun to write, for the last moment of the process. */
		rest: () => writing ? takePiece() : Buffer.concat([piece ?? Buffer.alloc(0), takePiece()])
	};
}
function droppedLine(count) {
	const line = {
		level: "warn",
		time: iso(systemClock.now()),
		lines_dropped: count,
		msg: "log lines were dropped"
	};
	return `${JSON.stringify(line)}\n`;
}
let standard;
/** The standard output of this process. */
function standardOutput() {
	standard ??= openStandardOutput();
	return standard;
}
/** Since the start, for the metric. */
const logLinesDropped = () => standard?.linesDropped() ?? 0;
function openStandardOutput() {
	const pipe = isPipe();
	let busy = false;
	const sink = pipe ? pipeSink() : fileSink;
	const output = createLogOutput({ write(bytes, done) {
		busy = true;
		sink.write(bytes, (error, written) => {
			busy = false;
			done(error, written);
		});
	} });
	setInterval(output.flush, FLUSH_MS).unref();
	process.on("exit", () => {
		if (!pipe || !busy) writeNow(output.rest());
	});
	return output;
}
function isPipe() {
	try {
		const kind = fstatSync(STANDARD_OUTPUT);
		return kind.isFIFO() || kind.isSocket();
	} catch {
		return false;
	}
}
/** Files and terminals are written on a thread of the pool: neither a slow disk nor a stopped terminal holds us up. */
const fileSink = { write: (bytes, done) => write(STANDARD_OUTPUT, bytes, (error, written) => done(error, written ?? 0)) };
/** Pipes cannot: a thread that waits for a reader who never comes would keep the process from ending. */
function pipeSink() {
	process.stdout.on("error", () => {});
	return { write: (bytes, done) => process.stdout.write(bytes, (error) => done(error, error ? 0 : bytes.length)) };
}
function writeNow(bytes) {
	try {
		for (let done = 0; done < bytes.length;) done += writeSync(STANDARD_OUTPUT, bytes, done);
	} catch {}
}

export { standardOutput as n, logLinesDropped as t };