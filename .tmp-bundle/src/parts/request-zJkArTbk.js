import { i as malformedJson, n as Problem } from "./errors-BqwugPUl.js";
import { n as sha256Hex } from "./hashing-DLQqQgqD.js";
import { d as parseIp, r as normaliseHost, s as formatIp } from "./domain-kPPiJw5e.js";
import { t as normaliseAddressText } from "./address-text-D2a5B2S-.js";
import { t as readJsonText } from "./json-text-DEWPD8mT.js";
import { n as KINDS } from "./kinds-CMakw6U7.js";

// src/risk/engine.ts
/** The level is always derived from the score, never set apart from it. */
const LEVEL_FLOORS = {
	low: 0,
	medium: 30,
	high: 70
};
function levelOf(score) {
	if (score >= LEVEL_FLOORS.high) return "high";
	return score >= LEVEL_FLOORS.medium ? "medium" : "low";
}
/**
* What the sources know about an indicator. How its name or address looks is no knowledge: a name that only looks like
* fraud is `nothing` known. `neutral` describes it, such as a free mailbox; `not_public` has nothing to check.
*/
const KNOWN = [
	"good",
	"bad",
	"mixed",
	"neutral",
	"nothing",
	"not_public"
];
var EngineUnavailable = class extends Error {
	retryAfterSeconds;
	constructor(message, options = {}) {
		super(message, options.cause === void 0 ? void 0 : { cause: options.cause });
		this.name = "EngineUnavailable";
		this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
	}
};
/** The engine works, but this one has to come back: too much is waiting already. */
var EngineBusy = class extends Error {
	/** With whose work it is busy: the organisation has its whole share waiting, or everybody together fill the queue. */
	of;
	/** How many records may wait. */
	recordsMax;
	constructor(of, recordsMax) {
		super(`more than ${recordsMax} records of ${of === "organisation" ? "one organisation" : "all"} would wait`);
		this.name = "EngineBusy";
		this.of = of;
		this.recordsMax = recordsMax;
	}
};

// src/risk/indicator.ts
function parseIndicator(kind, text) {
	if (kind === "email") return parseEmail(text);
	if (kind === "domain") return parseDomain(text);
	return parseAddress(text);
}
function isProblem(result) {
	return "code" in result;
}
/** What stands in `target`: never the email address itself. */
function targetOf(indicator) {
	if (indicator.kind === "email") return `sha256:${sha256Hex(indicator.address)}`;
	if (indicator.kind === "domain") return indicator.domain;
	return formatIp(indicator.ip);
}
/** What facts are looked up about. The local part of a mailbox stays here. */
function lookedUp(indicator) {
	return indicator.kind === "ip" ? formatIp(indicator.ip) : indicator.domain;
}
/** The normal form as text, from which parseIndicator gives the same indicator again. */
function indicatorText(indicator) {
	if (indicator.kind === "email") return indicator.address;
	if (indicator.kind === "domain") return indicator.domain;
	return formatIp(indicator.ip);
}
const HOST_DETAIL = {
	empty: "is empty",
	too_long: "is longer than 253 characters",
	single_label: "needs at least two labels, as in example.com",
	bad_label: "has a label that is not a valid host name: 1 to 63 letters, digits and inner hyphens",
	bad_idn: "is not a valid internationalised name",
	ip_address: "is an IP address, not a domain",
	url: "is not a bare host name: leave out the scheme, path and user",
	port: "must not have a port"
};
function parseDomain(text) {
	const result = normaliseHost(text);
	if ("name" in result) return {
		kind: "domain",
		domain: result.name
	};
	return {
		code: "invalid_domain",
		detail: `The domain ${HOST_DETAIL[result.problem]}.`
	};
}
const NOT_AN_EMAIL = "invalid_email";
const PLAIN_LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const WIDE_LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~\-\u{a1}-\u{10ffff}]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~\-\u{a1}-\u{10ffff}]+)*$/u;
const UNSEEN = /[\p{Cc}\p{Cs}\p{Z}\p{Cn}]/u;
const QUOTED_LOCAL = /^"(?:[^"\\\p{Cc}\p{Cs}]|\\[\x20-\x7e])*"$/u;
function parseEmail(text) {
	const address = normaliseAddressText(text);
	const at = address.lastIndexOf("@");
	if (at < 0) return {
		code: NOT_AN_EMAIL,
		detail: "The email address has no @."
	};
	if (isLonger(address, 254)) return {
		code: NOT_AN_EMAIL,
		detail: "The email address is longer than 254 characters."
	};
	const local = address.slice(0, at);
	if (local === "") return {
		code: NOT_AN_EMAIL,
		detail: "The email address has nothing before the @."
	};
	if (isLonger(local, 64)) return {
		code: NOT_AN_EMAIL,
		detail: "The part before the @ is longer than 64 characters."
	};
	if (!(PLAIN_LOCAL.test(local) || WIDE_LOCAL.test(local) && !UNSEEN.test(local) || QUOTED_LOCAL.test(local))) return {
		code: NOT_AN_EMAIL,
		detail: "The part before the @ has a character or a dot that may not stand there."
	};
	const host = address.slice(at + 1);
	if (host.endsWith(".") || host !== host.trim()) return {
		code: NOT_AN_EMAIL,
		detail: "The domain after the @ has a blank or a dot at its edge."
	};
	const domain = normaliseHost(host);
	if ("problem" in domain) return {
		code: NOT_AN_EMAIL,
		detail: `The domain after the @ ${HOST_DETAIL[domain.problem]}.`
	};
	return {
		kind: "email",
		address: `${local}@${domain.name}`,
		local,
		domain: domain.name
	};
}
/** Whether a text has more than `max` characters; one beyond the basic plane counts once. */
function isLonger(text, max) {
	return text.length > 2 * max || text.length > max && [...text].length > max;
}
function parseAddress(text) {
	const trimmed = text.trim();
	const ip = parseIp(trimmed);
	if (ip) return {
		kind: "ip",
		ip
	};
	return {
		code: "invalid_ip",
		detail: `The IP address ${addressDetail(trimmed)}.`
	};
}
function addressDetail(text) {
	if (text === "") return "is empty";
	if (text.includes("/")) return "must be a single address, not a range";
	if (text.includes("%")) return "must not have a zone index";
	if (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) || text.startsWith("[")) return "must not have a port or brackets";
	if (/^\d+\.\d+\.\d+\.\d+$/.test(text)) return "has an octet above 255 or with a leading zero";
	return "is neither a dotted quad nor an IPv6 address";
}

// src/risk/list.ts
const INVALID_NAMED_MAX = 100;
function workOnList({ kind, texts, task, facts, nowMs }, scorer) {
	const indicators = [];
	const first = [];
	let count = 0;
	for (const [index, text] of texts.entries()) {
		const parsed = text === null ? NO_STRING : parseIndicator(kind, text);
		if (isProblem(parsed)) {
			count++;
			if (first.length < 100) first.push({
				index,
				code: parsed.code,
				detail: parsed.detail
			});
		} else indicators.push(parsed);
	}
	const { length } = texts;
	if (count > 0) return {
		length,
		invalid: {
			count,
			first
		},
		...NO_RESULTS
	};
	if (task === "read") return {
		length,
		invalid: void 0,
		...NO_RESULTS
	};
	if (task === "names") return {
		length,
		invalid: void 0,
		...NO_RESULTS,
		names: indicators.map(lookedUp).join("\n")
	};
	const explain = task === "explain";
	const scoring = scorer();
	return {
		length,
		invalid: void 0,
		results: scoring.evaluate(kind, indicators, {
			explain,
			signalsOnly: true,
			facts,
			nowMs
		}).map(({ score, signals }, i) => {
			const reasons = explain ? `,"signals":${JSON.stringify(signals)}` : "";
			return `{"${kind}":${JSON.stringify(texts[i])},"risk":"${levelOf(score)}","risk_score":${score}${reasons}}`;
		}).join(","),
		names: "",
		background: scoring.background(kind)
	};
}
const NO_RESULTS = {
	results: "",
	names: "",
	background: void 0
};
const NO_STRING = {
	code: "wrong_type",
	detail: "This must be a string."
};
/** The outcome of a list from the outcomes of its parts, each `partLength` long but the last that is not empty. */
function joinOutcomes(parts, partLength) {
	const length = parts.reduce((sum, part) => sum + part.length, 0);
	const invalid = parts.flatMap(({ invalid }, i) => invalid ? [{
		...invalid,
		offset: i * partLength
	}] : []);
	if (invalid.length === 0) {
		const filled = parts.filter((part) => part.length > 0);
		return {
			length,
			invalid: void 0,
			results: filled.map(({ results }) => results).join(","),
			names: filled.map(({ names }) => names).join("\n"),
			background: parts[0]?.background
		};
	}
	const first = invalid.flatMap(({ first, offset }) => first.map((record) => ({
		...record,
		index: record.index + offset
	})));
	return {
		length,
		invalid: {
			count: invalid.reduce((sum, { count }) => sum + count, 0),
			first: first.slice(0, 100)
		},
		...NO_RESULTS
	};
}
/** Whether a list is so short that a trip to another thread or process takes longer than the work itself. */
function isShort(body, records, recordsMin) {
	return records < recordsMin && body.length < recordsMin * BYTES_PER_RECORD;
}
const BYTES_PER_RECORD = 64;
/** A list worked on by whoever does it. */
async function listBy(work, options) {
	const { kind, facts: source, close = () => {} } = options;
	const { length, invalid } = await work({ task: "read" });
	async function lookUp(facts) {
		const { names } = await work({ task: "names" });
		return facts.aboutAll(kind, names.split("\n"));
	}
	return {
		length,
		invalid,
		async evaluate({ explain }) {
			if (invalid) throw new RangeError("a list with invalid records is not scored");
			const found = source?.isOn() ? await lookUp(source) : void 0;
			const { results, background } = await work({
				task: explain ? "explain" : "score",
				facts: found?.facts
			});
			if (!background) throw new Error("a list was scored without a background");
			return {
				results,
				...withLive(background, found?.status)
			};
		},
		close
	};
}
/** What answers rest on when facts were looked up for them. */
function withLive(background, status = "off") {
	return {
		...background,
		coverage: {
			...background.coverage,
			live: { status }
		}
	};
}
/** Facts from their JSON. A row that somebody edited in the database has none, and does not fail the list. */
function readFactTexts(texts) {
	try {
		return JSON.parse(`[${texts.join(",")}]`);
	} catch {
		return texts.map((text) => readJsonText(Buffer.from(text))?.value ?? {});
	}
}

// src/risk/request.ts
/** Bodies of the six risk endpoints, read strictly: whatever is wrong is named by its place. */
const RECORDS_MAX = 1e4;
const ERRORS_MAX = 100;
function readSingle(kind, body) {
	const value = onlyField(body, kind);
	if (typeof value !== "string") refuse(wrongType(`/${kind}`, "a string"));
	const indicator = parseIndicator(kind, value);
	if (isProblem(indicator)) refuse({
		pointer: `/${kind}`,
		...indicator
	});
	return {
		text: value,
		indicator
	};
}
/** The records of a bulk request, not yet read one by one. */
function readTexts(kind, body) {
	const field = KINDS[kind].plural;
	const json = readJsonText(body);
	if (!json) throw malformedJson();
	const list = onlyField(json.value, field);
	if (!Array.isArray(list)) refuse(wrongType(`/${field}`, "an array of strings"));
	if (list.length === 0) throw new Problem("no_records", {
		detail: `Send 1 to ${RECORDS_MAX} records in "${field}".`,
		errors: [{
			pointer: `/${field}`,
			code: "no_records",
			detail: "The array is empty."
		}]
	});
	if (list.length > 1e4) throw tooManyRecords(kind, String(list.length));
	return list.map((value) => typeof value === "string" ? value : null);
}
/** How many records a good bulk body has: each is a string, with commas between them. */
function recordsOf(marks) {
	return Math.min(RECORDS_MAX, Math.max(0, Math.floor((marks - MARKS_AROUND_LIST) / 2)));
}
/** `{`, the name, `:`, `[`, `]` and `}`, less the comma that the last record has not. */
const MARKS_AROUND_LIST = 5;
/** What a bulk body may hold: enough to name every wrong record of a list that is not too long. */
function bulkBounds(kind) {
	return {
		depthMax: 32,
		marksMax: 4 * RECORDS_MAX,
		stretchMax: 16384,
		list: {
			field: KINDS[kind].plural,
			lengthMax: RECORDS_MAX,
			refuse: (length) => tooManyRecords(kind, length)
		}
	};
}
function tooManyRecords(kind, length) {
	const pointer = `/${KINDS[kind].plural}`;
	return new Problem("too_many_records", {
		detail: `${length} records were sent; one request takes at most ${RECORDS_MAX}. Split the list.`,
		errors: [{
			pointer,
			code: "too_many_records",
			detail: `More than ${RECORDS_MAX} records.`
		}]
	});
}
function invalidRecords(kind, length, { count, first }) {
	const more = count > first.length ? ` The first ${first.length} are named.` : "";
	return new Problem("validation_failed", {
		detail: `${count} of ${length} records are not valid. Nothing was evaluated or charged.${more}`,
		errors: first.map(({ index, code, detail }) => ({
			pointer: `/${KINDS[kind].plural}/${index}`,
			code,
			detail
		}))
	});
}
/** The one field a body must have, and no other. */
function onlyField(body, field) {
	if (typeof body !== "object" || body === null || Array.isArray(body)) refuse({
		pointer: "",
		code: "wrong_type",
		detail: `The body must be a JSON object with the field "${field}".`
	});
	const names = Object.keys(body);
	const unknown = names.filter((name) => name !== field);
	const errors = unknown.slice(0, ERRORS_MAX).map((name) => ({
		pointer: `/${pointerSegment(name)}`,
		code: "unknown_field",
		detail: `There is no such field; "${field}" is the only one.`
	}));
	if (names.length === unknown.length) errors.unshift({
		pointer: `/${field}`,
		code: "missing_field",
		detail: `The field "${field}" is required.`
	});
	if (errors.length > 0) refuse(...errors);
	return body[field];
}
/** RFC 6901, with a length bound: a field name may be as long as the body, or hold an address by mistake. */
function pointerSegment(name) {
	return (name.length > 64 || name.includes("@") ? `${name.slice(0, 16).split("@")[0]}…` : name).replaceAll("~", "~0").replaceAll("/", "~1");
}
function wrongType(pointer, wanted) {
	return {
		pointer,
		code: "wrong_type",
		detail: `This must be ${wanted}.`
	};
}
function refuse(...errors) {
	throw new Problem("validation_failed", {
		detail: errors[0]?.detail ?? "The body is not valid.",
		errors
	});
}

export { targetOf as _, readTexts as a, KNOWN as b, joinOutcomes as c, withLive as d, workOnList as f, parseIndicator as g, lookedUp as h, readSingle as i, listBy as l, isProblem as m, bulkBounds as n, recordsOf as o, indicatorText as p, invalidRecords as r, isShort as s, RECORDS_MAX as t, readFactTexts as u, EngineBusy as v, levelOf as x, EngineUnavailable as y };