import { o as systemClock } from "./clock-Cypo2bh8.js";
import { a as problemFrom, n as Problem } from "./errors-BqwugPUl.js";
import { a as readTexts, f as workOnList, p as indicatorText, s as isShort, v as EngineBusy, y as EngineUnavailable } from "./request-zJkArTbk.js";
import { Pool } from "undici";

// src/risk/remote.ts
/** From about this many records on, a request gets ten times the time. */
const BULK_RECORDS = 100;
const QUEUE_MAX = 2e3;
const TRIES = 2;
function createRemoteEngine(options) {
	const { token, timeoutMs, failuresToOpen = 5, openMs = 1e3, ticks = systemClock.ticks } = options;
	const base = new URL(options.url);
	const path = `${base.pathname.replace(/\/$/, "")}/v1`;
	const pool = new Pool(base.origin, {
		connections: 16,
		pipelining: 1,
		connectTimeout: timeoutMs,
		keepAliveTimeout: 3e4
	});
	const authorization = `Bearer ${token}`;
	let underWay = 0;
	let failures = 0;
	let openUntil = 0;
	let probing = false;
	/** `read` turns the text of an answer into what it means, or throws. */
	async function send(resource, body, limitMs, read) {
		if (openUntil > ticks() || openUntil > 0 && probing) throw new EngineUnavailable("the circuit breaker is open");
		if (underWay >= QUEUE_MAX) throw new EngineBusy("everybody", QUEUE_MAX);
		const probe = openUntil > 0;
		probing ||= probe;
		underWay++;
		try {
			const answer = await tryTwice(resource, body, limitMs, read);
			failures = 0;
			openUntil = 0;
			return answer;
		} catch (error) {
			if (isAnswer(error)) {
				failures = 0;
				openUntil = 0;
				throw error;
			}
			failures++;
			if (failures >= failuresToOpen) openUntil = ticks() + openMs;
			if (error instanceof EngineUnavailable) throw error;
			throw new EngineUnavailable(`the engine did not answer: ${error.message}`, { cause: error });
		} finally {
			underWay--;
			if (probe) probing = false;
		}
	}
	async function tryTwice(resource, body, limitMs, read) {
		const signal = AbortSignal.timeout(limitMs);
		const method = body === null ? "GET" : "POST";
		const headers = {
			authorization,
			"content-type": typeof body === "string" ? "application/json" : "application/octet-stream"
		};
		for (let attempt = 1;; attempt++) try {
			const response = await pool.request({
				method,
				path: `${path}/${resource}`,
				headers,
				body,
				signal
			});
			const text = await response.body.text();
			if (response.statusCode === 200) return read(text);
			throw refusalOf(response.statusCode, text);
		} catch (error) {
			if (attempt >= TRIES || signal.aborted || isAnswer(error)) throw error;
		}
	}
	const lookUpMs = options.lookUpMs ?? {
		single: 0,
		bulk: 0
	};
	return {
		evaluate(kind, indicators, { explain, lookUp }) {
			return send("evaluate", JSON.stringify({
				kind,
				indicators: indicators.map(indicatorText),
				explain,
				look_up: lookUp
			}), (indicators.length < BULK_RECORDS ? timeoutMs : timeoutMs * 10) + lookUpMs.single, (text) => {
				const answer = JSON.parse(text);
				if (!isEvaluationSet(answer, indicators.length)) throw notUnderstood();
				return answer;
			});
		},
		async openList(kind, body, listOptions) {
			const { organisationId: organisation, records } = listOptions;
			const query = new URLSearchParams({
				kind,
				organisation,
				records: String(records)
			});
			const short = isShort(body, records, BULK_RECORDS);
			const limitMs = (short ? timeoutMs : timeoutMs * 10) + lookUpMs.bulk;
			const { length, invalid } = short ? readHere(kind, body) : await send(`read-list?${query}`, body, limitMs, readRead);
			return {
				length,
				invalid,
				evaluate({ explain }) {
					query.set("explain", String(explain));
					return send(`evaluate-list?${query}`, body, limitMs, (text) => readResults(text, length));
				},
				close() {}
			};
		},
		async intelligence() {
			try {
				return await send("intelligence", null, timeoutMs, (text) => {
					const answer = JSON.parse(text);
					if (!isIntelligence(answer)) throw notUnderstood();
					return answer;
				});
			} catch {
				return;
			}
		},
		close: () => pool.destroy()
	};
}
const notUnderstood = () => new EngineUnavailable("the engine gave an answer this version does not understand");
function readHere(kind, body) {
	return workOnList({
		kind,
		texts: readTexts(kind, body),
		task: "read",
		nowMs: 0
	}, () => {
		throw new Error("an engine apart does the scoring");
	});
}
/** Whether an error says that the engine works. */
const isAnswer = (error) => error instanceof EngineBusy || error instanceof Problem;
/** A refusal of the engine, which may say that it is busy, or what is wrong with a list. */
function refusalOf(status, text) {
	const unavailable = new EngineUnavailable(`the engine answered ${status}`);
	try {
		const { busy, recordsMax, problem } = JSON.parse(text);
		if (problem) return problemFrom(problem) ?? unavailable;
		if (busy !== "organisation" && busy !== "everybody" || typeof recordsMax !== "number") return unavailable;
		return new EngineBusy(busy, recordsMax);
	} catch {
		return unavailable;
	}
}
function readRead(text) {
	const { length, invalid } = JSON.parse(text);
	if (length === void 0 || !(Number.isInteger(length) && length > 0)) throw notUnderstood();
	if (invalid === null) return {
		length,
		invalid: void 0
	};
	if (!Number.isInteger(invalid?.count) || !Array.isArray(invalid?.first)) throw notUnderstood();
	return {
		length,
		invalid
	};
}
/**
* The text of an evaluated list around its results: how many there are and what they rest on, so that nobody has to
* parse the results to know.
*/
function resultsFrame(records, background) {
	return {
		before: `${frameStart(records)}${JSON.stringify(background)}${RESULTS}`,
		after: FRAME_END
	};
}
const frameStart = (records) => `{"records":${records},"background":`;
const RESULTS = ",\"results\":[";
const FRAME_END = "]}";
function readResults(text, records) {
	const start = frameStart(records);
	const at = text.indexOf(RESULTS);
	if (!text.startsWith(start) || at < 0 || !text.endsWith(FRAME_END)) throw notUnderstood();
	const background = JSON.parse(text.slice(start.length, at));
	if (!isBackground(background)) throw notUnderstood();
	return {
		...background,
		results: text.slice(at + 12, -2)
	};
}
function isEvaluationSet(value, count) {
	const { evaluations } = value ?? {};
	return Array.isArray(evaluations) && evaluations.length === count && evaluations.every(({ score, signals }) => Number.isInteger(score) && score >= 0 && score <= 100 && Array.isArray(signals)) && isBackground(value);
}
function isBackground(value) {
	const { base_score, coverage, intelligence } = value ?? {};
	return Number.isInteger(base_score) && typeof coverage === "object" && coverage !== null && isIntelligence(intelligence);
}
function isIntelligence(value) {
	const { version, built_at } = value ?? {};
	return typeof version === "string" && typeof built_at === "string";
}

export { resultsFrame as n, createRemoteEngine as t };