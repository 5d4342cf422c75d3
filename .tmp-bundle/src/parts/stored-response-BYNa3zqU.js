import { o as valuesList } from "./sql-DF74iSw8.js";
import { H as rowsToInsert } from "./accounts-db1MVW_U.js";
import { r as runStatements } from "./routine-BXZ82vhO.js";
import { t as DAY_MS } from "./clock-Cypo2bh8.js";

// src/access/organisation-state.ts
/** `disabled`: by the operator. `inactive`: not subscribed, not paid, or not approved yet. */
const ORGANISATION_STATES = [
	"active",
	"disabled",
	"inactive"
];
/** Why an organisation is not served, and what to do about it: for the API, the console and the operator alike. */
const STATE_REASONS = {
	disabled: "The operator has disabled this account. Contact the operator.",
	awaiting_approval: "The operator has not approved this account yet. Wait for the approval, or contact the operator.",
	overdue: "An invoice is overdue. Pay it to go on.",
	disputed: "A payment of this account is disputed with the bank. Settle the dispute, or contact the operator.",
	deactivated: "The operator has ended the subscription. Choose a plan to go on, or contact the operator.",
	ended: "The subscription has ended. Choose a plan to go on.",
	first_payment: "The first invoice is not paid yet. Pay it to start."
};
/** What a refused caller is told: the reason, and where the API and the console say what to pay. */
function inactiveWords(reason) {
	return `${STATE_REASONS[reason ?? "ended"]} See GET /v1/billing/standing, or Usage and billing in the console.`;
}

// src/db/stored-response.ts
/**
* Answers kept for retries with the same Idempotency-Key.
*
*  1. A row is written in the transaction of the change it answers for, so the two exist together or not at all.
*  2. After a day a row counts as absent, purged or not.
*  3. A row shows nobody what was asked or answered: the answer and the digest of its request are sealed. Only what is
*     known no earlier than under a lock, the billing fields, stands beside them.
*/
const STORED_RESPONSE_LIFETIME_MS = DAY_MS;
const PURGE_ROWS_MAX = 1e3;
/** Unambiguous because an organisation's id holds no blank. */
function storedResponseName(organisationId, key) {
	return `${organisationId} ${key}`;
}
const placeOf = (organisationId, key) => `answer ${storedResponseName(organisationId, key)}`;
/** The seal of kept answers. */
function keptAnswers(ring) {
	return ring.seal("kept answers");
}
/** Seals an answer around what is not known yet. Neither text may hold a line break: JSON on one line does not. */
function sealAnswer(seal, { organisationId, key }, kept) {
	return seal.seal(`${kept.requestHash}\n${kept.before}\n${kept.after}`, placeOf(organisationId, key));
}
/** The text of a row: an answer as `sealAnswer` made it, and what belongs in its middle. A sealed text holds no blank. */
function keptBody(sealed, middle) {
	return `${sealed} ${middle}`;
}
function partsOf(body) {
	const blank = body.indexOf(" ");
	return blank < 0 ? {
		sealed: body,
		middle: ""
	} : {
		sealed: body.slice(0, blank),
		middle: body.slice(blank + 1)
	};
}
/** Version 1.0 kept the answers of checks as they were. */
const OLD_PLAIN = "{";
async function openAnswer(seal, { organisationId, key, requestHash, body }) {
	const place = placeOf(organisationId, key);
	if (requestHash !== "") return {
		requestHash,
		body: body.startsWith(OLD_PLAIN) ? body : await seal.open(body, place)
	};
	const { sealed, middle } = partsOf(body);
	const [digest = "", before = "", after = ""] = (await seal.open(sealed, place)).split("\n");
	return {
		requestHash: digest,
		body: `${before}${middle}${after}`
	};
}
const SEALED_ANSWERS = {
	about: "answers kept for retries",
	table: "stored_response",
	key: ["organisation_id", "key"],
	column: "body",
	where: `substr(body, 1, 1) <> '${OLD_PLAIN}'`,
	async reseal(row, ring) {
		const { sealed, middle } = partsOf(String(row.body));
		const place = placeOf(String(row.organisation_id), String(row.key));
		const seal = keptAnswers(ring);
		const anew = seal.seal(await seal.open(sealed, place), place);
		return middle === "" ? anew : keptBody(anew, middle);
	}
};
/** Finds the living rows of these organisations and keys; no statement when there are none to look for. */
function responsesToFind(wanted, nowMs) {
	if (wanted.length === 0) return [];
	const { marks, params } = paddedPairs(wanted, 2);
	return [{
		text: `select organisation_id, key, request_hash, status, body, created_at from stored_response
       where created_at > $1 and (organisation_id, key) in (values ${marks})`,
		params: [nowMs - STORED_RESPONSE_LIFETIME_MS, ...params]
	}];
}
/** What was found, by `storedResponseName`. */
function responsesByName(rows) {
	const found = /* @__PURE__ */ new Map();
	for (const row of rows) found.set(storedResponseName(row.organisation_id, row.key), {
		organisationId: row.organisation_id,
		key: row.key,
		requestHash: row.request_hash,
		status: row.status,
		body: row.body,
		createdAtMs: row.created_at
	});
	return found;
}
async function findStoredResponse(queries, { organisationId, key, nowMs }) {
	for (const { text, params } of responsesToFind([{
		organisationId,
		key
	}], nowMs)) return responsesByName(await queries.query(text, params)).get(storedResponseName(organisationId, key));
}
const COLUMNS = [
	{
		name: "organisation_id",
		type: "text",
		of: (response) => response.organisationId
	},
	{
		name: "key",
		type: "text",
		of: (response) => response.key
	},
	{
		name: "request_hash",
		type: "text",
		of: (response) => response.requestHash
	},
	{
		name: "status",
		type: "bigint",
		of: (response) => response.status
	},
	{
		name: "body",
		type: "text",
		of: (response) => response.body
	},
	{
		name: "created_at",
		type: "bigint",
		of: (response) => response.createdAtMs
	}
];
/** A UniqueViolation when a living row is there already; an expired one is replaced. */
function responsesToInsert(dialect, responses) {
	const [first] = responses;
	if (!first) return [];
	const oldestMs = responses.reduce((ms, { createdAtMs }) => Math.min(ms, createdAtMs), first.createdAtMs);
	const { marks, params } = paddedPairs(responses, 2);
	return [{
		text: `delete from stored_response where created_at <= $1 and (organisation_id, key) in (values ${marks})`,
		params: [oldestMs - STORED_RESPONSE_LIFETIME_MS, ...params]
	}, ...rowsToInsert(dialect, {
		table: "stored_response",
		columns: COLUMNS,
		rows: responses
	})];
}
/** Organisations and keys, the first pair repeated up to a power of two, for a handful of statement texts. */
function paddedPairs(pairs, firstMark) {
	const params = pairs.flatMap(({ organisationId, key }) => [organisationId, key]);
	while (!Number.isInteger(Math.log2(params.length))) params.push(params[0], params[1]);
	return {
		marks: valuesList(params.length / 2, 2, firstMark),
		params
	};
}
function insertStoredResponses(tx, responses) {
	return runStatements(tx, responsesToInsert(tx, responses));
}
/** Removes expired rows, a bounded number at a time so that no writer waits long; returns how many. */
async function purgeStoredResponses(sql, nowMs) {
	let removed = 0;
	for (;;) {
		const rows = await sql.query(`delete from stored_response where (organisation_id, key) in
         (select organisation_id, key from stored_response where created_at <= $1 limit ${PURGE_ROWS_MAX})
       returning key`, [nowMs - STORED_RESPONSE_LIFETIME_MS]);
		removed += rows.length;
		if (rows.length < PURGE_ROWS_MAX) return removed;
	}
}

export { keptBody as a, responsesByName as c, sealAnswer as d, storedResponseName as f, inactiveWords as h, keptAnswers as i, responsesToFind as l, STATE_REASONS as m, findStoredResponse as n, openAnswer as o, ORGANISATION_STATES as p, insertStoredResponses as r, purgeStoredResponses as s, SEALED_ANSWERS as t, responsesToInsert as u };