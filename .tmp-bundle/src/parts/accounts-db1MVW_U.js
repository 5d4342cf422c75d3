import { o as valuesList } from "./sql-DF74iSw8.js";
import { r as runStatements } from "./routine-BXZ82vhO.js";
import { a as periodOf } from "./clock-Cypo2bh8.js";
import { n as Problem } from "./errors-BqwugPUl.js";
import { hash, randomBytes } from "node:crypto";

// src/db/multi-row.ts
/**
* Statements over many rows come in a few sizes only (powers of two), so that each engine prepares a handful of texts
* once instead of a new text for every number of rows.
*/
const CHUNK_ROWS_MAX = 64;
/** Powers of two that add up to `count`, largest first, none above 64. */
function chunkSizes(count) {
	const sizes = [];
	let left = count;
	for (let size = CHUNK_ROWS_MAX; size >= 1; size /= 2) while (left >= size) {
		sizes.push(size);
		left -= size;
	}
	return sizes;
}
/** For `in (…)`: the values, the last one repeated up to a power of two, and their marks numbered from `first`. */
function paddedList(values, first) {
	const padded = [...values];
	const last = values.at(-1);
	if (last === void 0) throw new RangeError("a list of values must not be empty");
	while (!Number.isInteger(Math.log2(padded.length))) padded.push(last);
	return {
		marks: padded.map((_, i) => `$${first + i}`).join(","),
		values: padded
	};
}
function columnNames(columns) {
	return columns.map(({ name }) => name).join(", ");
}
/**
* Inserts any number of rows; `onConflict` says what to do then. PostgreSQL gets one statement with an array for
* each column, because there a statement costs more than a row; SQLite has no arrays and gets a few sizes of `values`.
*/
function rowsToInsert(dialect, { table, columns, rows, onConflict = "" }) {
	if (rows.length === 0) return [];
	const into = `insert into ${table} (${columnNames(columns)})`;
	if (dialect.engine === "postgres") return [{
		text: `${into} select * from unnest(${columns.map(({ type }, i) => `$${i + 1}::${type}[]`).join(", ")}) where true ${onConflict}`,
		params: columns.map(({ of }) => arrayLiteral(rows, of))
	}];
	let from = 0;
	return chunkSizes(rows.length).map((size) => {
		const params = [];
		for (let i = from; i < from + size; i++) for (const { of } of columns) params.push(of(rows[i]));
		from += size;
		return {
			text: `${into} values ${valuesList(size, columns.length)} ${onConflict}`,
			params
		};
	});
}
/** The values of one column as PostgreSQL writes an array: numbers bare, text always in quotes, so that NULL is a word. */
function arrayLiteral(rows, of) {
	let text = "{";
	for (let i = 0; i < rows.length; i++) {
		const value = of(rows[i]);
		if (i > 0) text += ",";
		if (value === null) text += "NULL";
		else text += typeof value === "number" ? exact(value) : `"${escaped(value)}"`;
	}
	return `${text}}`;
}
function escaped(text) {
	return text.includes("\"") || text.includes("\\") ? text.replace(/["\\]/g, "\\$&") : text;
}
/** What checkParams would refuse on its own must not hide in a literal. */
function exact(value) {
	if (!Number.isSafeInteger(value)) throw new RangeError(`a number the store cannot keep exactly: ${value}`);
	return value;
}

// src/lib/ids.ts
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** `length` unbiased base-62 characters (bytes above the largest multiple of 62 are thrown away). */
function randomBase62(length, random = randomBytes) {
	let text = "";
	while (text.length < length) for (const byte of random(length * 2)) if (byte < 248 && text.length < length) text += BASE62[byte % 62];
	return text;
}
/** Fixed-width base-62 of a non-negative integer, most significant digit first. */
function toBase62(value, width) {
	let rest = value;
	let text = "";
	for (let i = 0; i < width; i++) {
		text = BASE62[rest % 62] + text;
		rest = Math.floor(rest / 62);
	}
	return text;
}
/**
* Ids in a row: a random part for this thread and a counter. Unique like the others, but cheap enough for something
* that is made for every request, and no secret.
*/
function idSeries(prefix, random = randomBytes) {
	const start = `${prefix}_${randomBase62(12, random)}`;
	let count = 0;
	return () => `${start}${toBase62(count++, 8)}`;
}
/** An id such as `org_0Fv3kQ2…`: says what it names, 119 random bits, safe in a path. */
function newId(prefix, random = randomBytes) {
	return `${prefix}_${randomBase62(20, random)}`;
}

// src/db/table.ts
const asIs = {
	read: (value) => value,
	write: (value) => value
};
/** Text; `text<'open' | 'paid'>()` where the table allows these words only. */
const text = () => ({
	...asIs,
	type: "text"
});
const integer = () => ({
	...asIs,
	type: "bigint"
});
const flag = () => ({
	type: "bigint",
	read: (value) => value === 1,
	write: (value) => value ? 1 : 0
});
/** Words separated by single blanks. */
const words = () => ({
	type: "text",
	read: (value) => value === "" ? [] : String(value).split(" "),
	write: (value) => value.join(" ")
});
const json = () => ({
	type: "text",
	read: (value) => JSON.parse(String(value)),
	write: (value) => JSON.stringify(value)
});
const orNull = (codec) => ({
	...codec,
	read: (value) => value === null ? null : codec.read(value),
	write: (value) => value === null ? null : codec.write(value)
});
const named = (column, codec) => ({
	...codec,
	column
});
function defineTable(definition) {
	const names = Object.keys(definition.columns);
	const codecOf = (name) => definition.columns[name];
	const columnOf = (name) => codecOf(name).column ?? name;
	const list = names.map(columnOf).join(", ");
	const fixed = /* @__PURE__ */ new Set([...definition.key, ...definition.fixed ?? []]);
	const changing = names.filter((name) => !fixed.has(name));
	const inserted = names.map((name) => ({
		name: columnOf(name),
		type: codecOf(name).type,
		of: (entity) => codecOf(name).write(entity[name])
	}));
	const onConflict = `on conflict (${definition.key.map(columnOf).join(", ")}) do update set ${changing.map((name) => `${columnOf(name)} = excluded.${columnOf(name)}`).join(", ")}`;
	const readers = names.map((name) => ({
		name,
		column: columnOf(name),
		read: codecOf(name).read
	}));
	function fromRow(row) {
		const values = row;
		const entity = {};
		for (const { name, column, read } of readers) entity[name] = read(values[column] ?? null);
		return entity;
	}
	/** `a = $1 and b is null`, with the values of the marks. */
	function condition(where, params) {
		const parts = Object.keys(where).map((name) => {
			const value = codecOf(name).write(where[name]);
			return value === null ? `${columnOf(name)} is null` : `${columnOf(name)} = $${params.push(value)}`;
		});
		return parts.length === 0 ? "1 = 1" : parts.join(" and ");
	}
	/** `a in ($1, $2)`, for each column that may hold one of several values. */
	function membership(among = {}, params) {
		return Object.keys(among).flatMap((name) => {
			const marks = among[name]?.map((value) => `$${params.push(codecOf(name).write(value))}`);
			return marks ? [` and ${columnOf(name)} in (${marks.join(", ")})`] : [];
		}).join("");
	}
	async function select(sql, where, tail) {
		const params = [];
		return (await sql.query(`select ${list} from ${definition.name} where ${condition(where, params)}${tail}`, params)).map(fromRow);
	}
	function add(tx, entity, more, tail) {
		const values = [...inserted.map(({ of }) => of(entity)), ...Object.values(more)];
		const into = [list, ...Object.keys(more)].join(", ");
		const marks = values.map((_, i) => `$${i + 1}`).join(", ");
		return tx.query(`insert into ${definition.name} (${into}) values (${marks})${tail} returning ${list}`, values);
	}
	const keyOf = (entity) => Object.fromEntries(definition.key.map((name) => [name, entity[name]]));
	const table = {
		columns: (alias) => alias === void 0 ? list : names.map((name) => `${alias}.${columnOf(name)}`).join(", "),
		fromRow,
		async insert(tx, entity, more = {}) {
			return fromRow((await add(tx, entity, more, ""))[0]);
		},
		async insertIfNew(tx, entity, more = {}) {
			const [row] = await add(tx, entity, more, " on conflict do nothing");
			return row && fromRow(row);
		},
		async update(tx, entity, more = {}) {
			const params = [];
			const sets = [...changing.map((name) => `${columnOf(name)} = $${params.push(codecOf(name).write(entity[name]))}`), ...Object.entries(more).map(([column, value]) => `${column} = $${params.push(value)}`)];
			const rows = await tx.query(`update ${definition.name} set ${sets.join(", ")} where ${condition(keyOf(entity), params)} returning ${list}`, params);
			if (!rows[0]) throw new Error(`${definition.name}: a row to update is gone`);
			return fromRow(rows[0]);
		},
		toInsert: (dialect, entities) => rowsToInsert(dialect, {
			table: definition.name,
			columns: inserted,
			rows: entities
		}),
		toUpsert: (dialect, entities) => rowsToInsert(dialect, {
			table: definition.name,
			columns: inserted,
			rows: entities,
			onConflict
		}),
		upsert: (tx, entities) => runStatements(tx, table.toUpsert(tx, entities)),
		find: async (sql, where) => (await select(sql, where, " limit 1"))[0],
		lock: async (tx, where) => (await select(tx, where, tx.forUpdate))[0],
		list: (sql, where, { order, limit }) => select(sql, where, ` order by ${order} limit ${limit}`),
		async count(sql, where, and = "") {
			const params = [];
			return (await sql.query(`select count(*) as count from ${definition.name} where ${condition(where, params)}${and}`, params))[0]?.count ?? 0;
		},
		async page(sql, where, { from, limit, newestFirst = false, among, sinceMs, beforeMs }) {
			const params = [];
			const time = columnOf(definition.time ?? "created_at");
			const [compare, order] = newestFirst ? ["<", "desc"] : [">", "asc"];
			let clause = condition(where, params) + membership(among, params);
			if (sinceMs !== void 0) clause += ` and ${time} >= $${params.push(sinceMs)}`;
			if (beforeMs !== void 0) clause += ` and ${time} < $${params.push(beforeMs)}`;
			if (from) clause += ` and (${time}, id) ${compare} ($${params.push(from.createdAtMs)}, $${params.push(from.id)})`;
			const rows = await sql.query(`select ${list} from ${definition.name} where ${clause} order by ${time} ${order}, id ${order} limit ${limit + 1}`, params);
			const page = rows.slice(0, limit);
			const last = page.at(-1);
			return {
				rows: page.map(fromRow),
				next: rows.length > limit && last ? {
					createdAtMs: Number(last[time]),
					id: String(last.id)
				} : void 0
			};
		},
		async delete(tx, where) {
			const params = [];
			const clause = condition(where, params);
			return (await tx.query(`delete from ${definition.name} where ${clause} returning 1 as one`, params)).length;
		}
	};
	return table;
}

// src/lib/hash-chain.ts
/**
* The hash of one entry of a chain: SHA-256 over the hash of the entry before it and every field of this one. Nothing
* can be changed, taken out or put in without every later hash becoming another.
*
* A field begins with U+0000, which no text in the store can hold, and a mark that tells null from text. A lone
* surrogate becomes U+FFFD here as it does in the store.
*/
function link(previous, fields) {
	let text = previous;
	for (const field of fields) text += field === null ? "\0-" : `\0=${field}`;
	return hash("sha256", text, "base64url");
}

// src/billing/period.ts
/** Calendar months in UTC, by name (`2026-03`) and by their bounds. */
function isPeriod(text) {
	return /^(19|20|21)\d\d-(0[1-9]|1[0-2])$/.test(text);
}
function periodStartMs(period) {
	return Date.parse(`${period}-01T00:00:00Z`);
}
function nextPeriod(period) {
	return addMonths(period, 1);
}
function previousPeriod(period) {
	return addMonths(period, -1);
}
function periodEndMs(period) {
	return periodStartMs(nextPeriod(period));
}
function addMonths(period, months) {
	const date = new Date(periodStartMs(period));
	date.setUTCMonth(date.getUTCMonth() + months);
	return date.toISOString().slice(0, 7);
}

// src/billing/ledger/ledger.ts
/**
* The arithmetic of accounts and entries, pure. An account changes only by posting an entry, so balance and ledger
* cannot drift apart. Posting also hashes the entry, so there is none outside the organisation's chain.
*/
const ENTRY_KINDS = [
	"grant",
	"expire",
	"charge",
	"credit",
	"plan",
	"refund",
	"settle",
	"reversal"
];
/** Every field but the hash, in the order in which they are hashed: another order would be another hash. */
const HASHED = Object.keys({
	organisationId: true,
	seq: true,
	id: true,
	kind: true,
	period: true,
	planId: true,
	family: true,
	units: true,
	freeUnits: true,
	unitPricePence: true,
	includedDeltaPence: true,
	prepaidDeltaPence: true,
	overageDeltaPence: true,
	includedAfterPence: true,
	prepaidAfterPence: true,
	overageAfterPence: true,
	credentialId: true,
	requestId: true,
	reference: true,
	detail: true,
	createdAtMs: true
});
function hashedFields(entry) {
	return HASHED.map((field) => entry[field]);
}
function post(account, movement, nowMs) {
	const includedDeltaPence = movement.includedDeltaPence ?? 0;
	const prepaidDeltaPence = movement.prepaidDeltaPence ?? 0;
	const overageDeltaPence = movement.overageDeltaPence ?? 0;
	const freeUnits = movement.freeUnits ?? 0;
	const usage = movement.kind === "charge" || movement.kind === "refund";
	const seq = account.entrySeq + 1;
	const after = {
		...account,
		includedPence: account.includedPence + includedDeltaPence,
		prepaidPence: account.prepaidPence + prepaidDeltaPence,
		overagePence: account.overagePence + overageDeltaPence,
		includedUsedPence: usage ? account.includedUsedPence - includedDeltaPence : account.includedUsedPence,
		freeUnitsUsed: account.freeUnitsUsed + freeUnits,
		entrySeq: seq,
		updatedAtMs: nowMs
	};
	if (after.includedPence < 0 || after.prepaidPence < 0 || after.overagePence < 0) throw new RangeError(`a ${movement.kind} would make a balance of ${account.organisationId} negative`);
	const entry = {
		organisationId: account.organisationId,
		seq,
		id: movement.id,
		kind: movement.kind,
		period: account.period,
		planId: account.planId,
		family: movement.family ?? null,
		units: movement.units ?? 0,
		freeUnits,
		unitPricePence: movement.unitPricePence ?? 0,
		includedDeltaPence,
		prepaidDeltaPence,
		overageDeltaPence,
		includedAfterPence: after.includedPence,
		prepaidAfterPence: after.prepaidPence,
		overageAfterPence: after.overagePence,
		credentialId: movement.credentialId ?? null,
		requestId: movement.requestId ?? null,
		reference: movement.reference ?? null,
		detail: movement.detail ?? null,
		createdAtMs: nowMs
	};
	const hash = link(account.entryHash ?? "", hashedFields(entry));
	return {
		account: {
			...after,
			entryHash: hash
		},
		entry: {
			...entry,
			hash
		}
	};
}
/** An account before its first entry. */
function emptyAccount(organisationId, planId, nowMs) {
	return {
		organisationId,
		planId,
		period: periodOf(nowMs),
		includedPence: 0,
		prepaidPence: 0,
		overagePence: 0,
		includedUsedPence: 0,
		freeUnitsUsed: 0,
		entrySeq: 0,
		entryHash: null,
		monthlyCreditPence: null,
		overageLimitPence: null,
		createdAtMs: nowMs,
		updatedAtMs: nowMs
	};
}
/**
* The moment a change of the account stands for: never before the last one, nor before the month that has begun. So a
* clock that was set back gives no month twice, and entries are in the order of their times.
*/
function accountTime(account, nowMs) {
	return Math.max(nowMs, account.updatedAtMs, periodStartMs(account.period));
}
/** The included credit of the account's month. */
function monthlyCreditOf(account, plan) {
	return account.monthlyCreditPence ?? plan.included_credit_pence;
}
/** What the plan gives this account now: free units go with the included credit, which has to be paid for. */
function termsOf(account, plan) {
	return account.monthlyCreditPence === null ? plan : {
		...plan,
		free_units: 0
	};
}
/** How much may be owed beyond the credit. */
function overageLimitOf(account, plan) {
	return account.overageLimitPence ?? plan.overage_limit_pence ?? Number.MAX_SAFE_INTEGER;
}
/** Posts the included credit of the account's month, if there is any. */
function grantIncluded(account, plan, nowMs, newEntryId) {
	const entries = [];
	const credit = monthlyCreditOf(account, plan);
	if (credit === 0) return {
		account,
		entries
	};
	const granted = post(account, {
		id: newEntryId(),
		kind: "grant",
		includedDeltaPence: credit
	}, nowMs);
	entries.push(granted.entry);
	return {
		account: granted.account,
		entries
	};
}
/**
* Brings an account to the period of `nowMs`: what is left of the included credit expires, the new month's is granted,
* free units start again. Months without any use leave no trace.
*/
function rollPeriod(account, plan, nowMs, newEntryId) {
	const period = periodOf(nowMs);
	if (period <= account.period) return {
		account,
		entries: []
	};
	const entries = [];
	let current = account;
	if (current.includedPence > 0) {
		const expired = post(current, {
			id: newEntryId(),
			kind: "expire",
			includedDeltaPence: -current.includedPence
		}, nowMs);
		entries.push(expired.entry);
		current = expired.account;
	}
	current = {
		...current,
		planId: plan.id,
		period,
		includedUsedPence: 0,
		freeUnitsUsed: 0,
		updatedAtMs: nowMs
	};
	const granted = grantIncluded(current, plan, nowMs, newEntryId);
	return {
		account: granted.account,
		entries: [...entries, ...granted.entries]
	};
}
/**
* Moves an account to another plan within its period. What was used of the included credit this month counts against
* the new plan's, so changing to and fro never makes credit.
*/
function movePlan(account, plan, nowMs, newEntryId) {
	const moved = {
		...account,
		planId: plan.id
	};
	return post(moved, {
		id: newEntryId(),
		kind: "plan",
		includedDeltaPence: leftOf(moved, plan) - account.includedPence,
		detail: `${account.planId} to ${plan.id}`
	}, nowMs);
}
/** Gives the month's included credit another size; what was used of it stays used. */
function changeMonthlyCredit(account, plan, monthlyCreditPence, nowMs, newEntryId) {
	const changed = {
		...account,
		monthlyCreditPence
	};
	const delta = leftOf(changed, plan) - account.includedPence;
	if (delta === 0) return {
		account: changed,
		entries: []
	};
	const kind = delta > 0 ? "grant" : "plan";
	const posted = post(changed, {
		id: newEntryId(),
		kind,
		includedDeltaPence: delta
	}, nowMs);
	return {
		account: posted.account,
		entries: [posted.entry]
	};
}
function leftOf(account, plan) {
	return Math.max(0, monthlyCreditOf(account, plan) - account.includedUsedPence);
}

// src/billing/ledger/accounts.ts
/** Accounts and the ledger in the database. */
const accounts = defineTable({
	name: "billing_account",
	key: ["organisationId"],
	fixed: ["createdAtMs"],
	columns: {
		organisationId: named("organisation_id", text()),
		planId: named("plan_id", text()),
		period: text(),
		includedPence: named("included_pence", integer()),
		prepaidPence: named("prepaid_pence", integer()),
		overagePence: named("overage_pence", integer()),
		includedUsedPence: named("included_used_pence", integer()),
		freeUnitsUsed: named("free_units_used", integer()),
		entrySeq: named("entry_seq", integer()),
		entryHash: named("entry_hash", orNull(text())),
		monthlyCreditPence: named("monthly_credit_pence", orNull(integer())),
		overageLimitPence: named("overage_limit_pence", orNull(integer())),
		createdAtMs: named("created_at", integer()),
		updatedAtMs: named("updated_at", integer())
	}
});
const entries = defineTable({
	name: "ledger_entry",
	key: ["organisationId", "seq"],
	columns: {
		organisationId: named("organisation_id", text()),
		seq: integer(),
		id: text(),
		kind: text(),
		period: text(),
		planId: named("plan_id", text()),
		family: orNull(text()),
		units: integer(),
		freeUnits: named("free_units", integer()),
		unitPricePence: named("unit_price_pence", integer()),
		includedDeltaPence: named("included_delta_pence", integer()),
		prepaidDeltaPence: named("prepaid_delta_pence", integer()),
		overageDeltaPence: named("overage_delta_pence", integer()),
		includedAfterPence: named("included_after_pence", integer()),
		prepaidAfterPence: named("prepaid_after_pence", integer()),
		overageAfterPence: named("overage_after_pence", integer()),
		credentialId: named("credential_id", orNull(text())),
		requestId: named("request_id", orNull(text())),
		reference: orNull(text()),
		detail: orNull(text()),
		createdAtMs: named("created_at", integer()),
		hash: orNull(text())
	}
});
/** Locks the accounts of these organisations in the order of their ids. */
function accountsToLock(dialect, organisationIds, { skipLocked }) {
	const { marks, values } = paddedList(organisationIds, 1);
	const lock = skipLocked ? dialect.forUpdateSkipLocked : dialect.forUpdate;
	return {
		text: `select ${accounts.columns()} from billing_account where organisation_id in (${marks}) order by organisation_id${lock}`,
		params: values
	};
}
function accountsById(rows) {
	return new Map(rows.map(accounts.fromRow).map((account) => [account.organisationId, account]));
}
const noAccount = (organisationId) => new Problem("not_found", { detail: `There is no organisation ${organisationId}.` });
/** The account, locked until the transaction ends. */
async function lockAccount(tx, organisationId) {
	const account = await accounts.lock(tx, { organisationId });
	if (!account) throw noAccount(organisationId);
	return account;
}
async function writeAccount(tx, account, posted) {
	await runStatements(tx, [...entries.toInsert(tx, posted), ...accounts.toUpsert(tx, [account])]);
}
/** Entries of one organisation after `afterSeq`, oldest first. */
async function readEntries(sql, { organisationId, afterSeq, limit }) {
	return (await sql.query(`select ${entries.columns()} from ledger_entry where organisation_id = $1 and seq > $2 order by seq limit $3`, [
		organisationId,
		afterSeq,
		limit
	])).map(entries.fromRow);
}
function planOf(plans, account) {
	const plan = plans.get(account.planId);
	if (!plan) throw new Error(`${account.organisationId} is on the plan "${account.planId}", which plans.json lacks`);
	return plan;
}
/** The account as it stands now, a month that has begun since included. */
async function readAccount({ sql, clock, plans }, organisationId) {
	const account = await accounts.find(sql, { organisationId });
	if (!account) throw noAccount(organisationId);
	return atTime(account, plans, clock.now());
}
/** The same for many, by organisation. */
async function readAccounts({ sql, clock, plans }, organisationIds) {
	if (organisationIds.length === 0) return /* @__PURE__ */ new Map();
	const { marks, values } = paddedList(organisationIds, 1);
	const found = (await sql.query(`select ${accounts.columns()} from billing_account where organisation_id in (${marks})`, values)).map((row) => atTime(accounts.fromRow(row), plans, clock.now()));
	return new Map(found.map((account) => [account.organisationId, account]));
}
function atTime(account, plans, nowMs) {
	return rollPeriod(account, planOf(plans, account), nowMs, () => newId("ent")).account;
}
/** Plans that accounts are on, or will be, and plans.json does not have: the server refuses to start with one. */
async function findUnknownPlans(sql, plans) {
	const used = [...await valuesIn(sql, "billing_account", "plan_id"), ...await valuesIn(sql, "subscription", "next_plan_id")];
	return [...new Set(used)].filter((id) => !plans.has(id)).sort();
}
/** The values of an indexed column, from one to the next: as many steps as there are values, however many the rows. */
async function valuesIn(sql, table, column) {
	return (await sql.query(`with recursive step (value) as (
       select min(${column}) from ${table}
       union all
       select (select min(t.${column}) from ${table} t where t.${column} > step.value) from step where step.value is not null
     )
     select value from step where value is not null`)).map((row) => row.value);
}

export { flag as A, toBase62 as B, isPeriod as C, previousPeriod as D, periodStartMs as E, text as F, rowsToInsert as H, words as I, idSeries as L, json as M, named as N, link as O, orNull as P, newId as R, termsOf as S, periodEndMs as T, paddedList as V, hashedFields as _, findUnknownPlans as a, post as b, planOf as c, readEntries as d, writeAccount as f, emptyAccount as g, changeMonthlyCredit as h, entries as i, integer as j, defineTable as k, readAccount as l, accountTime as m, accountsById as n, lockAccount as o, ENTRY_KINDS as p, accountsToLock as r, noAccount as s, accounts as t, readAccounts as u, movePlan as v, nextPeriod as w, rollPeriod as x, overageLimitOf as y, randomBase62 as z };