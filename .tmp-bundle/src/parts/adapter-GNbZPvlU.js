import { O as OAUTH_PURPOSE, tt as __exportAll } from "./context-BbeCwace.js";
import { n as StoreUnavailable, o as valuesList } from "./sql-DF74iSw8.js";
import { A as flag, B as toBase62, F as text, I as words, M as json$1, N as named, O as link, P as orNull, R as newId, _ as hashedFields, d as readEntries, j as integer, k as defineTable, n as accountsById, t as accounts, u as readAccounts, z as randomBase62 } from "./accounts-db1MVW_U.js";
import { r as runStatements } from "./routine-BXZ82vhO.js";
import { n as HOUR_MS, o as systemClock, r as MINUTE_MS, t as DAY_MS } from "./clock-Cypo2bh8.js";
import { n as Problem, r as invalidField } from "./errors-BqwugPUl.js";
import { n as sha256Hex } from "./hashing-DLQqQgqD.js";
import { d as parseIp, i as reservedName, m as specialPurpose, p as specialAddress, s as formatIp, t as hostParts } from "./domain-kPPiJw5e.js";
import { S as beginWholeFile, _ as FeedRefused, a as mispManifestEvents, b as BUNDLED_SOURCES, d as asOfMs, f as checkFeed, g as DocumentGone, h as readJson, l as KEY_PLACE, m as isRecord, n as createFeedWorker, o as isLocal, s as copyFile, u as addressesOn, v as FeedUnreachable, x as compileBundled, y as BUILT_SNAPSHOT } from "./worker-Cpb_pN4u.js";
import { _ as SnapshotRefused } from "./research-scanners-CkdNVrH6.js";
import { r as isoOrNull, t as iso } from "./time-text-Dd5R05a3.js";
import { t as normaliseAddressText } from "./address-text-D2a5B2S-.js";
import { a as refreshBootstrap, t as Client } from "./client-CR4fYALI.js";
import { t as openSnapshot } from "./read-BljDd-eC.js";
import { $ as requireWriter, At as SCOPES, B as checkedName, C as signUp, Dt as DEFAULT_KEY_SCOPES, Et as systemIn, H as lockOrganisation, Mt as isScope, Ot as KEY_SCOPE_NAMES, Q as requireRole, Tt as operatorIn, U as nameProblem, V as createOrganisation, W as organisations, X as requireGrantable, Y as mayInvite, Z as requireKeyMaker, d as addCredit, gt as audit, h as openAccount, jt as SCOPE_NAMES, k as quoted, nt as ROLE_NAMES, q as lackedScopes, tt as ROLES, v as requireOffered, vt as auditHeads, wt as newcomerIn, y as requirePlan, yt as hashOlderAudit } from "./payments-DmyGfVrk.js";
import * as crypto$1 from "node:crypto";
import { argon2, createHash, hkdfSync, randomBytes, randomFillSync, timingSafeEqual } from "node:crypto";
import { closeSync, createWriteStream, existsSync, fsyncSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, readdirSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import * as events from "node:events";
import { lookup } from "node:dns/promises";
import { setImmediate } from "node:timers/promises";
import * as util from "node:util";
import { format, inspect } from "node:util";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { strict } from "node:assert";
import Koa from "koa";
import * as querystring from "node:querystring";
import debug from "debug";
import { STATUS_CODES } from "node:http";
import { AsyncLocalStorage } from "node:async_hooks";

// src/billing/ledger/anchors.ts
/**
* Anchors: once a day the heads of all chains that moved are written down and signed with a key that comes from the
* server's secret. Who can edit the database but does not know the secret cannot change what an anchor holds without
* `assayd ledger verify` noticing.
*
*  1. Anchors are numbered from 1 without a gap; the hash of each is over the hash of the one before it.
*  2. An anchor's hash covers all of its rows, and its MAC is made from the hash.
*  3. Entries from before there were hashes are hashed once, when their organisation is first anchored.
*/
const PURPOSE = "anchor";
/** Whether an anchor was signed by this service. */
async function isSigned(ring, { hash, mac }) {
	await ring.know(mac);
	return ring.isMac(PURPOSE, hash, mac);
}
/** Signed anew when the keys are rotated. */
const SIGNED_ANCHORS = {
	about: "anchors of the ledger",
	table: "anchor",
	key: ["number"],
	column: "mac",
	reads: ["hash"],
	async reseal(row, ring) {
		const hash = String(row.hash);
		if (!await isSigned(ring, {
			hash,
			mac: String(row.mac)
		})) throw new Error("the anchor is not signed by us");
		return ring.mac(PURPOSE, hash);
	}
};
const anchorTable = defineTable({
	name: "anchor",
	key: ["number"],
	columns: {
		number: integer(),
		madeAtMs: named("made_at", integer()),
		heads: integer(),
		headsHash: named("heads_hash", text()),
		hash: text(),
		mac: text()
	}
});
const headTable = defineTable({
	name: "anchor_head",
	key: ["number", "organisationId"],
	columns: {
		number: integer(),
		organisationId: named("organisation_id", text()),
		ledgerSeq: named("ledger_seq", integer()),
		ledgerHash: named("ledger_hash", orNull(text())),
		auditSeq: named("audit_seq", integer()),
		auditHash: named("audit_hash", orNull(text())),
		olderLedgerCount: named("older_ledger_count", orNull(integer())),
		olderLedgerHash: named("older_ledger_hash", orNull(text())),
		olderAuditCount: named("older_audit_count", orNull(integer())),
		olderAuditHash: named("older_audit_hash", orNull(text())),
		hash: text()
	}
});
function hashOfHead(head) {
	return link("", [
		head.number,
		head.organisationId,
		head.ledgerSeq,
		head.ledgerHash,
		head.auditSeq,
		head.auditHash,
		head.olderLedgerCount,
		head.olderLedgerHash,
		head.olderAuditCount,
		head.olderAuditHash
	]);
}
/** Sorted here, because databases differ in how they sort text. */
const hashOfHeads = (hashes) => link("", [...hashes].sort());
function hashOfAnchor(previousHash, anchor) {
	return link(previousHash, [
		anchor.number,
		anchor.madeAtMs,
		anchor.heads,
		anchor.headsHash
	]);
}
/**
* Makes the next anchor; undefined when the signal says to stop. Only for one caller at a time: whoever holds the job's
* lock. SQLite reads in the thread that serves requests, so every page is followed by a turn for what waits there.
*/
async function makeAnchor({ sql, clock, ring }, signal) {
	const last = await lastAnchor(sql);
	const number = (last?.number ?? 0) + 1;
	const heads = [];
	try {
		for await (const organisationIds of chainHolders(sql)) {
			for (const head of await headsThatMoved(sql, number, organisationIds, signal)) heads.push(head);
			await setImmediate(void 0, { signal });
		}
	} catch (error) {
		if (signal?.aborted) return void 0;
		throw error;
	}
	const headsHash = hashOfHeads(heads.map((head) => head.hash));
	const unsigned = {
		number,
		madeAtMs: clock.now(),
		heads: heads.length,
		headsHash
	};
	const hash = hashOfAnchor(last?.hash ?? "", unsigned);
	const anchor = {
		...unsigned,
		hash,
		mac: ring.mac(PURPOSE, hash)
	};
	await sql.transaction((tx) => runStatements(tx, [...anchorTable.toInsert(tx, [anchor]), ...headTable.toInsert(tx, heads)]));
	return anchor;
}
/** The last head of every organisation of a page, whose index is looked up by id: the rows of former days are not read. */
const LAST_HEADS = `with recursive holder (id) as (
    select cast($1 as text)
    union all
    select (select min(h.organisation_id) from anchor_head h where h.organisation_id > holder.id and h.organisation_id <= $2)
    from holder where holder.id is not null
  )
  select ${headTable.columns()} from holder cross join anchor_head where organisation_id = holder.id
  and number = (select max(h.number) from anchor_head h where h.organisation_id = holder.id)`;
async function headsThatMoved(sql, number, organisationIds, signal) {
	const page = pageOf(organisationIds);
	const [accountRows, auditRows, anchoredRows] = await Promise.all([
		sql.query(`select ${accounts.columns()} from billing_account where ${WITHIN_PAGE}`, page),
		sql.query(`select ${auditHeads.columns()} from audit_chain where ${WITHIN_PAGE}`, page),
		sql.query(LAST_HEADS, page)
	]);
	const accounts$1 = accountsById(accountRows);
	const audits = new Map(auditRows.map(auditHeads.fromRow).map((head) => [head.organisation_id, head]));
	const anchored = new Map(anchoredRows.map(headTable.fromRow).map((head) => [head.organisationId, head]));
	const moved = [];
	for (const organisationId of organisationIds) {
		const now = standOf(accounts$1.get(organisationId), audits.get(organisationId));
		const before = anchored.get(organisationId);
		if (before?.ledgerSeq === now.ledgerSeq && before.ledgerHash === now.ledgerHash && before.auditSeq === now.auditSeq && before.auditHash === now.auditHash) continue;
		const older = before ? NOTHING_OLDER : await olderEntries(sql, organisationId, now.ledgerSeq, signal);
		const head = {
			number,
			organisationId,
			...now,
			...older
		};
		moved.push({
			...head,
			hash: hashOfHead(head)
		});
	}
	return moved;
}
function standOf(account, audit) {
	return {
		ledgerSeq: account?.entrySeq ?? 0,
		ledgerHash: account?.entryHash ?? null,
		auditSeq: audit?.seq ?? 0,
		auditHash: audit?.hash ?? null
	};
}
const NOTHING_OLDER = {
	olderLedgerCount: null,
	olderLedgerHash: null,
	olderAuditCount: null,
	olderAuditHash: null
};
async function olderEntries(sql, organisationId, ledgerSeq, signal) {
	const ledger = await hashOlderEntries(sql, organisationId, ledgerSeq, signal);
	const audit = await hashOlderAudit(sql, organisationId, signal);
	return {
		olderLedgerCount: ledger.count,
		olderLedgerHash: ledger.hash,
		olderAuditCount: audit.count,
		olderAuditHash: audit.hash
	};
}
const ENTRIES_PER_PAGE = 500;
async function hashOlderEntries(sql, organisationId, lastSeq, signal) {
	let count = 0;
	let hash = "";
	while (count < lastSeq) {
		const limit = Math.min(count === 0 ? 1 : ENTRIES_PER_PAGE, lastSeq - count);
		const page = await readEntries(sql, {
			organisationId,
			afterSeq: count,
			limit
		});
		for (const entry of page) {
			if (entry.hash !== null) return {
				count,
				hash
			};
			hash = link(hash, hashedFields(entry));
			count++;
		}
		if (page.length < limit) break;
		await setImmediate(void 0, { signal });
	}
	return {
		count,
		hash
	};
}
const HOLDERS_PER_PAGE = 500;
const HOLDING_TABLES = [
	"billing_account",
	"audit_chain",
	"anchor_head"
];
/** Each table gives a page of its own at most, and is asked for one id after the other: an id may have thousands of rows. */
const nextHolders = (table) => `select id from (
     with recursive holder (id, place) as (
       select (select min(organisation_id) from ${table} where organisation_id > $1), 1
       union all
       select (select min(organisation_id) from ${table} where organisation_id > holder.id), place + 1
       from holder where id is not null and place < ${HOLDERS_PER_PAGE}
     )
     select id from holder where id is not null
   ) as ${table}_page`;
/** Ids of all that have a chain, or had one when it was anchored, page by page; the empty id is the operator's. */
async function* chainHolders(sql) {
	yield [""];
	for (let afterId = "";;) {
		const rows = await sql.query(`${HOLDING_TABLES.map(nextHolders).join(" union ")} order by id limit ${HOLDERS_PER_PAGE}`, [afterId]);
		const last = rows.at(-1);
		if (!last) return;
		yield rows.map(({ id }) => id);
		afterId = last.id;
	}
}
/** The rows of a page of holders, which follow one another in the index; the values are those of pageOf. */
const WITHIN_PAGE = "organisation_id between $1 and $2";
function pageOf(organisationIds) {
	return [organisationIds[0] ?? "", organisationIds.at(-1) ?? ""];
}
async function lastAnchor(sql) {
	return (await anchorTable.list(sql, {}, {
		order: "number desc",
		limit: 1
	}))[0];
}
/** Anchors after a number, oldest first. */
async function readAnchors(sql, afterNumber, limit) {
	return (await sql.query(`select ${anchorTable.columns()} from anchor where number > $1 order by number limit $2`, [afterNumber, limit])).map(anchorTable.fromRow);
}
/** What an anchor holds, page by page. */
async function* readAnchorHeads(sql, number) {
	for (let afterId;;) {
		const page = (await sql.query(`select ${headTable.columns()} from anchor_head where number = $1 ${afterId === void 0 ? "" : "and organisation_id > $2"}
       order by organisation_id limit ${HOLDERS_PER_PAGE}`, afterId === void 0 ? [number] : [number, afterId])).map(headTable.fromRow);
		if (page.length > 0) yield page;
		if (page.length < HOLDERS_PER_PAGE) return;
		afterId = page.at(-1)?.organisationId;
	}
}
/** The heads of one organisation in all anchors, oldest first. */
async function readHeadsOf(sql, organisationId) {
	return (await sql.query(`select ${headTable.columns()} from anchor_head where organisation_id = $1 order by number`, [organisationId])).map(headTable.fromRow);
}

// src/billing/ledger/anchors-file.ts
/**
* `anchors.log` in the data folder: a copy of every anchor outside the database, one line of JSON each. It tells a
* database that was cut or restored from one that is as it was left.
*
*  1. Lines are only ever added. A line that a crash cut short does not count: its anchor is added again.
*  2. A line with `restored` says that the operator accepted the database as it was then: lines before it no longer count.
*/
/** What the file and the verb say of an anchor. */
function anchorLine(anchor) {
	const { number, madeAtMs, heads, hash } = anchor;
	return {
		number,
		made_at: iso(madeAtMs),
		heads,
		hash
	};
}
/**
* The same for the log, which takes every long random word for a secret and hides it: the hash is written in groups that
* are too short for that. Without the blanks it is the hash of the file.
*/
function anchorToLog(anchor) {
	const line = anchorLine(anchor);
	return {
		...line,
		hash: line.hash.match(/.{1,5}/g)?.join(" ") ?? ""
	};
}
function readAnchorsFile(file) {
	let lines = [];
	let restoredTo = 0;
	for (const text of contentOf(file).split("\n")) {
		const line = parse(text);
		if (!line) continue;
		if ("restored" in line) {
			lines = [];
			restoredTo = line.number;
		} else lines.push(line);
	}
	return {
		lines,
		restoredTo
	};
}
/** The last anchor the file knows. */
function lastNumberOf({ lines, restoredTo }) {
	return lines.reduce((last, { number }) => Math.max(last, number), restoredTo);
}
function appendAnchors(file, added) {
	append(file, added.map(anchorLine));
}
/** From now on the file is compared with a database whose last anchor is this one. */
function appendRestore(file, last, nowMs) {
	append(file, [{
		restored: iso(nowMs),
		number: last?.number ?? 0
	}]);
}
function append(file, lines) {
	if (lines.length === 0) return;
	mkdirSync(dirname(file), {
		recursive: true,
		mode: 448
	});
	const before = contentOf(file);
	const cut = before !== "" && !before.endsWith("\n");
	const descriptor = openSync(file, "a", 384);
	try {
		writeSync(descriptor, `${cut ? "\n" : ""}${lines.map((line) => `${JSON.stringify(line)}\n`).join("")}`);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}
function contentOf(file) {
	return existsSync(file) ? readFileSync(file, "utf8") : "";
}
/** As it is written; nothing else is shown to whoever reads the report. */
const MOMENT = /^[\d:.TZ+-]{10,40}$/;
function parse(text) {
	try {
		const line = JSON.parse(text);
		return ("restored" in line || typeof line.hash === "string" && MOMENT.test(line.made_at)) && Number.isSafeInteger(line.number) ? line : void 0;
	} catch {
		return;
	}
}

// src/jobs/runner.ts
/** The lock a job runs under, for whoever must keep out of its way. */
function jobLock(name) {
	return `job:${name}`;
}
function createJobRunner({ sql, jobs, onError, random = Math.random }) {
	const timers = /* @__PURE__ */ new Map();
	const running = /* @__PURE__ */ new Map();
	const stopping = new AbortController();
	for (const job of jobs) if (jobs.filter(({ name }) => name === job.name).length > 1) throw new Error(`Two jobs are named ${job.name}.`);
	function run(job) {
		const already = running.get(job.name);
		if (already) return already;
		const attempt = (async () => {
			try {
				return await sql.tryLock(jobLock(job.name), async () => {
					await job.run(stopping.signal);
					return true;
				}) ? "ran" : "elsewhere";
			} catch (error) {
				onError(job.name, error);
				return "failed";
			} finally {
				running.delete(job.name);
			}
		})();
		running.set(job.name, attempt);
		return attempt;
	}
	function schedule(job, delayMs) {
		if (stopping.signal.aborted) return;
		const timer = setTimeout(() => {
			run(job).then(() => schedule(job, job.periodMs));
		}, delayMs);
		timer.unref();
		timers.set(job.name, timer);
	}
	return {
		start() {
			for (const job of jobs) schedule(job, Math.floor(job.periodMs * random()));
		},
		runNow(name) {
			const job = jobs.find((candidate) => candidate.name === name);
			if (!job) throw new Error(`There is no job ${name}; there are ${jobs.map((each) => each.name).join(", ")}.`);
			return run(job);
		},
		async stop() {
			stopping.abort();
			for (const timer of timers.values()) clearTimeout(timer);
			await Promise.all(running.values());
		}
	};
}

// src/billing/ledger/anchor-job.ts
/** One anchor a day, by one node; every node copies it into the file in its own data folder. */
const COPIED_AT_ONCE = 1e3;
const NAME = "anchor";
function createAnchorJob(deps) {
	return {
		name: NAME,
		periodMs: 10 * MINUTE_MS,
		async run(signal) {
			const last = await lastAnchor(deps.sql);
			if (!last || dayOf(last.madeAtMs) !== dayOf(deps.clock.now())) {
				const made = await makeAnchor(deps, signal);
				if (made) deps.logger.info({ anchor: anchorToLog(made) }, "the heads of ledger and audit log are anchored");
			}
			await copyAnchors(deps);
		}
	};
}
/** One more anchor, now; undefined while a node makes one. */
function anchorNow(deps) {
	return deps.sql.tryLock(jobLock(NAME), async () => {
		const made = await makeAnchor(deps);
		await copyAnchors(deps);
		return made;
	});
}
/** Adds to the file what it lacks. Behind a file that knows later anchors nothing is added: verify tells of that. */
async function copyAnchors({ sql, anchorsFile, logger }) {
	const known = lastNumberOf(readAnchorsFile(anchorsFile));
	const last = await lastAnchor(sql);
	if (known > (last?.number ?? 0)) {
		logger?.warn({
			file: anchorsFile,
			anchor: known,
			database: last?.number ?? 0
		}, "the file of anchors knows later ones than the database: run assayd ledger verify");
		return;
	}
	for (let after = known;;) {
		const page = await readAnchors(sql, after, COPIED_AT_ONCE);
		appendAnchors(anchorsFile, page);
		const end = page.at(-1);
		if (!end) return;
		after = end.number;
	}
}
const dayOf = (timeMs) => Math.floor(timeMs / DAY_MS);

// src/access/api-key.ts
const FORM$1 = /^ask_[0-9A-Za-z]{38}$/;
function newApiKey(random) {
	const body = `ask_${randomBase62(32, random)}`;
	return body + checksum(body);
}
function isWellFormedApiKey(key) {
	return FORM$1.test(key) && key.slice(36) === checksum(key.slice(0, 36));
}
/** What is stored in place of the key. The key has full entropy, so a plain digest is enough. */
function apiKeyDigest(key) {
	return sha256Hex(key);
}
/** Enough to recognise a key by, too little to guess it from. */
function apiKeyHint(key) {
	return key.slice(0, 8);
}
function checksum(body) {
	return toBase62(crc32(body), 6);
}

// src/identity/invitations/withdraw.ts
/**
* Ends the unused invitations that their maker may no longer make, for good: they do not come back with the right.
* `scopes` and `role` are what the maker has from now on; without them, nothing.
*/
async function withdrawInvitations(tx, { kind, id, organisationId }, left = { scopes: [] }) {
	const holder = {
		kind,
		scopes: new Set(left.scopes),
		role: left.role
	};
	for (const role of ROLE_NAMES.filter((name) => !mayInvite(holder, name))) await tx.query(`update invitation set revoked_at = $5 where organisation_id = $1 and made_by_kind = $2 and made_by = $3
         and role = $4 and accepted_at is null and revoked_at is null`, [
		organisationId,
		kind,
		id,
		role,
		tx.nowMs
	]);
}

// src/identity/keys/keys.ts
const keys$1 = defineTable({
	name: "api_key",
	key: ["id"],
	fixed: [
		"organisation_id",
		"hint",
		"created_at",
		"last_used_at"
	],
	columns: {
		id: text(),
		organisation_id: text(),
		name: text(),
		hint: text(),
		scopes: words(),
		created_at: integer(),
		expires_at: orNull(integer()),
		lifetime_ms: orNull(integer()),
		last_used_at: orNull(integer()),
		revoked_at: orNull(integer())
	}
});
/** How many keys of one organisation may work at the same time. */
const KEYS_WORKING_MAX = 500;
/** How long a replaced key may go on working. */
const GRACE_HOURS_MAX = 2160;
const GRACE_HOURS_DEFAULT = 24;
function keyState(key, nowMs) {
	if (key.revoked_at !== null) return "revoked";
	return key.expires_at !== null && key.expires_at <= nowMs ? "expired" : "active";
}
/** Without scopes: the four risk scopes, as far as the actor has them. */
async function createKey(tx, actor, input) {
	await lockOrganisation(tx, actor.organisationId);
	requireKeyMaker(actor);
	const scopes = input.scopes ? checkedScopes(input.scopes) : ownDefaultScopes(actor);
	requireGrantable(actor, scopes);
	const made = await insertKey(tx, actor.organisationId, {
		name: checkedName(input.name),
		scopes,
		expiresAtMs: checkedExpiry(input.expiresAtMs, tx.nowMs)
	});
	await audit(tx, actor, "key.create", made.key.id, keyDetail(made.key));
	return made;
}
/** Changes a working key. `isAsRead` refuses when the key is not as the caller last saw it. */
async function changeKey(tx, actor, keyId, wanted, isAsRead = () => {}) {
	const before = await lockKey(tx, actor, keyId);
	isAsRead(before);
	const scopes = wanted.scopes ? checkedScopes(wanted.scopes) : before.scopes;
	requireGrantable(actor, [.../* @__PURE__ */ new Set([...before.scopes, ...scopes])]);
	requireWorking(before, tx.nowMs);
	const end = wanted.expiresAtMs === void 0 ? void 0 : checkedExpiry(wanted.expiresAtMs, tx.nowMs);
	const after = await keys$1.update(tx, {
		...before,
		...end === void 0 ? {} : {
			expires_at: end,
			lifetime_ms: lifetimeTo(end, tx.nowMs)
		},
		name: wanted.name === void 0 ? before.name : checkedName(wanted.name),
		scopes
	});
	await withdrawInvitations(tx, makerOf$2(before), after);
	await audit(tx, actor, "key.update", keyId, {
		from: keyDetail(before),
		to: keyDetail(after)
	});
	return after;
}
/** A new key with the same name, scopes and lifetime. The old one ends after the grace period, during which both work. */
async function rotateKey(tx, actor, keyId, graceHours = 24) {
	if (!Number.isInteger(graceHours) || graceHours < 0 || graceHours > 2160) throw invalidField("/grace_hours", `The grace period is 0 to ${GRACE_HOURS_MAX} whole hours.`);
	const before = await lockKey(tx, actor, keyId);
	requireGrantable(actor, before.scopes);
	requireWorking(before, tx.nowMs);
	const endsAtMs = tx.nowMs + graceHours * HOUR_MS;
	const old = await keys$1.update(tx, {
		...before,
		expires_at: Math.min(before.expires_at ?? endsAtMs, endsAtMs),
		revoked_at: graceHours === 0 ? tx.nowMs : null
	});
	const expiresAtMs = before.lifetime_ms === null ? null : tx.nowMs + before.lifetime_ms;
	const made = await insertKey(tx, before.organisation_id, {
		...before,
		expiresAtMs
	});
	await audit(tx, actor, "key.rotate", keyId, {
		name: before.name,
		replaced_by: made.key.id,
		grace_hours: graceHours,
		expires_at: isoOrNull(expiresAtMs)
	});
	return {
		...made,
		old
	};
}
/** Ends a key at once. A key that was revoked before stays as it is. */
async function revokeKey(tx, actor, keyId) {
	const before = await lockKey(tx, actor, keyId);
	requireGrantable(actor, before.scopes);
	if (before.revoked_at !== null) return before;
	const revoked = await keys$1.update(tx, {
		...before,
		revoked_at: tx.nowMs
	});
	await withdrawInvitations(tx, makerOf$2(before));
	await audit(tx, actor, "key.revoke", keyId, { name: before.name });
	return revoked;
}
const makerOf$2 = (key) => ({
	kind: "api_key",
	id: key.id,
	organisationId: key.organisation_id
});
/** Oldest first, ended ones included. */
function listKeys(sql, organisationId, page) {
	return keys$1.page(sql, { organisation_id: organisationId }, page);
}
function findKey(sql, where) {
	return keys$1.find(sql, where);
}
async function requireKey(sql, where) {
	const key = await findKey(sql, where);
	if (!key) throw new Problem("not_found", { detail: "There is no such key." });
	return key;
}
async function lockKey(tx, actor, id) {
	await lockOrganisation(tx, actor.organisationId);
	requireKeyMaker(actor);
	return requireKey(tx, {
		id,
		organisation_id: actor.organisationId
	});
}
async function insertKey(tx, organisationId, input) {
	if (await keys$1.count(tx, {
		organisation_id: organisationId,
		revoked_at: null
	}, ` and (expires_at is null or expires_at > ${tx.nowMs})`) >= 500) throw new Problem("conflict", { detail: `There are ${500} working keys. End some first.` });
	const secret = newApiKey();
	return {
		key: await keys$1.insert(tx, {
			id: newId("key"),
			organisation_id: organisationId,
			name: input.name,
			hint: apiKeyHint(secret),
			scopes: input.scopes,
			created_at: tx.nowMs,
			expires_at: input.expiresAtMs,
			lifetime_ms: lifetimeTo(input.expiresAtMs, tx.nowMs),
			last_used_at: null,
			revoked_at: null
		}, { digest: apiKeyDigest(secret) }),
		secret
	};
}
function checkedScopes(names) {
	const wrong = names.filter((name) => !isScope(name) || !KEY_SCOPE_NAMES.includes(name));
	if (wrong.length > 0) throw invalidField("/scopes", `A key cannot have ${wrong.map(quoted).join(", ")}. Scopes of keys: ${KEY_SCOPE_NAMES.join(", ")}.`);
	if (names.length === 0) throw invalidField("/scopes", "Name at least one scope.");
	return [...new Set(names.filter(isScope))];
}
function ownDefaultScopes(actor) {
	const lacked = lackedScopes(actor, DEFAULT_KEY_SCOPES);
	const own = DEFAULT_KEY_SCOPES.filter((scope) => !lacked.includes(scope));
	if (own.length > 0) return own;
	throw new Problem("forbidden", { detail: "You have none of the risk scopes, so you cannot give them to a key. Ask an owner or admin." });
}
const lifetimeTo = (endMs, nowMs) => endMs === null ? null : endMs - nowMs;
function checkedExpiry(expiresAtMs, nowMs) {
	if (expiresAtMs === null || expiresAtMs > nowMs) return expiresAtMs;
	throw invalidField("/expires_at", "The end must be in the future.");
}
function requireWorking(key, nowMs) {
	if (keyState(key, nowMs) === "active") return;
	throw new Problem("conflict", { detail: "The key has ended and cannot be changed or replaced. Make a new one." });
}
function keyDetail(key) {
	return {
		name: key.name,
		scopes: key.scopes,
		expires_at: isoOrNull(key.expires_at)
	};
}
/** The caller behind a key; undefined for an unknown or revoked one. */
async function findKeyCaller(sql, secret) {
	const [row] = await sql.query(`select ${keys$1.columns("k")}, o.state, o.state_reason
     from api_key k join organisation o on o.id = k.organisation_id where k.digest = $1`, [apiKeyDigest(secret)]);
	const key = row && keys$1.fromRow(row);
	if (!key || key.revoked_at !== null) return void 0;
	return {
		organisationId: key.organisation_id,
		credentialId: key.id,
		method: "api_key",
		scopes: new Set(key.scopes),
		state: row.state,
		stateReason: row.state_reason,
		expiresAtMs: key.expires_at ?? Number.POSITIVE_INFINITY
	};
}
/** Notes when keys were last used; the newest time wins whatever order nodes write in. */
async function touchKeys(sql, used) {
	if (used.size === 0) return;
	await sql.transaction(async (tx) => {
		for (const [id, usedAtMs] of [...used].sort(([a], [b]) => a < b ? -1 : 1)) await tx.query("update api_key set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)", [id, usedAtMs]);
	});
}

// src/identity/people/grants.ts
/**
* What people allowed applications to do, and where they are signed in.
*
*  1. A grant that ended never lives again: its row says so until no token under it could be alive, then goes.
*  2. Codes and tokens go with their grant. One that is being issued at that moment belongs to an ended grant and is
*     worth nothing.
*  3. A grant is worth nothing before it is bound to an organisation. Binding it and taking the person's rights there
*     both hold the organisation's lock, so that a consent under way cannot outlive the membership it relied on.
*/
/** Ends one grant, a person's grants that charge one organisation, or all of a person's grants; says how many. */
async function endGrants(sql, of, nowMs) {
	const values = [];
	let condition = "kind = 'Grant'";
	if ("grantDigest" in of) condition += ` and digest = $${values.push(of.grantDigest)}`;
	else {
		condition += ` and person_id = $${values.push(of.personId)}`;
		if (of.organisationId !== void 0) condition += ` and organisation_id = $${values.push(of.organisationId)}`;
	}
	const under = "grantDigest" in of ? "grant_digest = $1" : `grant_digest in (select digest from oauth_record where ${condition})`;
	const ended = await sql.query(`update oauth_record set consumed_at = $${values.length + 1}, purge_at = $${values.length + 2}
     where ${condition} and consumed_at is null returning digest`, [
		...values,
		nowMs,
		nowMs + HOUR_MS
	]);
	await sql.query(`delete from oauth_record where ${under}`, values);
	return ended.length;
}
/** Signs a person out everywhere: the console, the OAuth pages, and sign-ins that have begun there. */
async function endSessions(tx, personId) {
	await tx.query("delete from console_session where person_id = $1", [personId]);
	await tx.query(`delete from oauth_record where person_id = $1 and kind in ('Session', 'Interaction')`, [personId]);
}
/** Rule 3: the grant charges the organisation from now on, provided the person still has the role they consented with. */
async function bindGrant(tx, input) {
	await lockOrganisation(tx, input.organisationId);
	if ((await tx.query(`update oauth_record set organisation_id = $2 where digest = $1 and kind = 'Grant' and consumed_at is null
       and exists (select 1 from membership m join person p on p.id = m.person_id where m.person_id = $3
         and m.organisation_id = $2 and m.role = $4 and p.state = 'active') returning digest`, [
		input.grantDigest,
		input.organisationId,
		input.personId,
		input.role
	])).length > 0) {
		await audit(tx, {
			...systemIn(input.organisationId),
			kind: "person",
			id: input.personId
		}, "grant.create", input.clientId, { name: await clientName(tx, input.clientId) });
		return;
	}
	throw new Problem("conflict", { detail: "Your role in this organisation has just changed. Start again." });
}
/** As people know the application; its id where it has just been deleted. */
async function clientName(tx, clientId) {
	return (await tx.query("select name from oauth_client where id = $1", [clientId]))[0]?.name ?? clientId;
}

// src/identity/people/people.ts
const people = defineTable({
	name: "person",
	key: ["id"],
	fixed: ["email", "created_at"],
	columns: {
		id: text(),
		email: text(),
		email_verified: flag(),
		name: text(),
		state: text(),
		created_at: integer(),
		updated_at: integer()
	}
});
/** What is stored and compared: people type their address in any case. */
function normaliseSignInEmail(email) {
	return normaliseAddressText(email);
}
function signInEmailProblem(email) {
	const normal = normaliseSignInEmail(email);
	if (normal.length > 254) return "is longer than 254 characters";
	if (!/^[^\s@\p{Cc}\p{Cs}]{1,64}@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}]+$/u.test(normal)) return "is not an email address";
}
/** The address as it is stored; 422 when it is not one. */
function checkedEmail(email) {
	const wrong = signInEmailProblem(email);
	if (wrong) throw invalidField("/email", `The email address ${wrong}.`);
	return normaliseSignInEmail(email);
}
/** A person who belongs to no organisation yet; 409 when somebody has the address already. */
async function createPerson(tx, input) {
	const person = {
		id: newId("usr"),
		email: checkedEmail(input.email),
		email_verified: input.emailVerified,
		name: checkedName(input.name),
		state: "active",
		created_at: tx.nowMs,
		updated_at: tx.nowMs
	};
	const made = await people.insertIfNew(tx, person, { password_hash: input.passwordHash });
	if (made) return made;
	throw new Problem("conflict", { detail: "There is already an account with this email address. Its holder can sign in and join with it." });
}
function findPerson(sql, id) {
	return people.find(sql, { id });
}
async function findPersonByEmail(sql, email) {
	const [row] = await sql.query(`select ${people.columns()}, password_hash from person where email = $1`, [normaliseSignInEmail(email)]);
	return row && {
		person: people.fromRow(row),
		passwordHash: row.password_hash
	};
}
async function requirePersonByEmail(sql, email) {
	const found = signInEmailProblem(email) ? void 0 : await findPersonByEmail(sql, email);
	if (!found) throw new Problem("not_found", { detail: "There is nobody with this email address." });
	return found.person;
}
/** Everybody, or everybody in one organisation; oldest first, at most `limit`. */
async function listPeople(sql, { organisationId, limit }) {
	return (await sql.query(organisationId === void 0 ? `select ${people.columns()} from person order by created_at, id limit $1` : `select ${people.columns("p")} from membership m join person p on p.id = m.person_id
         where m.organisation_id = $2 order by p.created_at, p.id limit $1`, organisationId === void 0 ? [limit] : [limit, organisationId])).map(people.fromRow);
}

// src/identity/members/members.ts
const memberships = defineTable({
	name: "membership",
	key: ["person_id", "organisation_id"],
	fixed: ["created_at"],
	columns: {
		person_id: text(),
		organisation_id: text(),
		role: text(),
		created_at: integer()
	}
});
const members = defineTable({
	name: `(select p.id, m.organisation_id, p.email, p.name, p.state, m.role, m.created_at
    from membership m join person p on p.id = m.person_id) member`,
	key: ["id", "organisation_id"],
	columns: {
		id: text(),
		organisation_id: text(),
		email: text(),
		name: text(),
		state: text(),
		role: text(),
		created_at: integer()
	}
});
const ownOrganisations = defineTable({
	name: `(select m.person_id, o.id, o.name, m.role, o.state, o.state_reason
    from membership m join organisation o on o.id = m.organisation_id) own`,
	key: ["person_id", "id"],
	columns: {
		person_id: text(),
		id: text(),
		name: text(),
		role: text(),
		state: text(),
		state_reason: orNull(text())
	}
});
const ORGANISATIONS_MAX = 1e4;
function organisationsOf(sql, personId) {
	return ownOrganisations.list(sql, { person_id: personId }, {
		order: "name, id",
		limit: ORGANISATIONS_MAX
	});
}
/** In the order they joined. */
function listMembers(sql, organisationId, page) {
	return members.page(sql, { organisation_id: organisationId }, page);
}
function findMember(sql, organisationId, personId) {
	return members.find(sql, {
		organisation_id: organisationId,
		id: personId
	});
}
async function requireMember(sql, organisationId, personId) {
	const member = await findMember(sql, organisationId, personId);
	if (!member) throw new Problem("not_found", { detail: "There is no such member." });
	return member;
}
/** Makes a person a member; 409 when they are one already. */
async function addMember(tx, actor, input) {
	await lockOrganisation(tx, actor.organisationId);
	requireWriter(actor);
	requireRole(actor, input.role);
	return admit(tx, actor, input);
}
/** As addMember, for whoever has checked under the organisation's lock that the role may be given. */
async function admit(tx, actor, input, detail = {}) {
	const { personId, role } = input;
	const { organisationId } = actor;
	const person = await people.lock(tx, { id: personId });
	if (!person) throw new Problem("not_found", { detail: "There is no such person." });
	if (await findMember(tx, organisationId, personId)) throw new Problem("conflict", { detail: "This person is a member already." });
	await memberships.insert(tx, {
		person_id: personId,
		organisation_id: organisationId,
		role,
		created_at: tx.nowMs
	});
	await audit(tx, actor, "member.join", personId, {
		name: person.name,
		role,
		...detail
	});
	return requireMember(tx, organisationId, personId);
}
/** Gives a member another role. `isAsRead` refuses when the member is not as the caller last saw them. */
async function changeRole(tx, actor, { personId, role }, isAsRead = () => {}) {
	await lockOrganisation(tx, actor.organisationId);
	requireWriter(actor);
	const before = await requireMember(tx, actor.organisationId, personId);
	isAsRead(before);
	requireRole(actor, before.role);
	requireRole(actor, role);
	if (role !== "owner") await refuseLastOwner(tx, before);
	await memberships.update(tx, {
		person_id: personId,
		organisation_id: actor.organisationId,
		role,
		created_at: before.created_at
	});
	await withdrawInvitations(tx, makerOf$1(actor.organisationId, personId), {
		role,
		scopes: ROLES[role].scopes
	});
	await audit(tx, actor, "member.update", personId, {
		name: before.name,
		role: {
			from: before.role,
			to: role
		}
	});
	return {
		...before,
		role
	};
}
/** Makes a person a member with this role, or gives a member this role. */
async function setRole(tx, actor, input) {
	await lockOrganisation(tx, actor.organisationId);
	return await findMember(tx, actor.organisationId, input.personId) ? changeRole(tx, actor, input) : addMember(tx, actor, input);
}
/** Removes a member. Whoever is signed in may remove themselves. */
async function removeMember(tx, actor, personId) {
	const { organisationId } = actor;
	await lockOrganisation(tx, organisationId);
	const leaves = actor.kind === "person" && actor.id === personId;
	if (!leaves) requireWriter(actor);
	const member = await requireMember(tx, organisationId, personId);
	if (!leaves) requireRole(actor, member.role);
	await refuseLastOwner(tx, member);
	await memberships.delete(tx, {
		person_id: personId,
		organisation_id: organisationId
	});
	await withdrawInvitations(tx, makerOf$1(organisationId, personId));
	const grantsEnded = await endGrants(tx, {
		personId,
		organisationId
	}, tx.nowMs);
	await audit(tx, actor, "member.remove", personId, {
		name: member.name,
		role: member.role,
		grants_ended: grantsEnded
	});
}
const makerOf$1 = (organisationId, personId) => ({
	kind: "person",
	id: personId,
	organisationId
});
/** To be asked under the organisation's lock, before an owner leaves, becomes something else or is disabled. */
async function refuseLastOwner(tx, leaving) {
	if (leaving.role !== "owner" || leaving.state !== "active") return;
	if ((await members.list(tx, {
		organisation_id: leaving.organisation_id,
		role: "owner",
		state: "active"
	}, {
		order: "id",
		limit: 2
	})).some(({ id }) => id !== leaving.id)) return;
	throw new Problem("conflict", { detail: `This is the last owner of ${leaving.organisation_id} who can sign in. Make another member an owner first.` });
}
/**
* Holds a person and every organisation they belong to until the transaction ends. The order is the same for all:
* organisations by id, then the person.
*/
async function lockPerson(tx, personId) {
	const read = () => members.list(tx, { id: personId }, {
		order: "organisation_id",
		limit: ORGANISATIONS_MAX
	});
	const seen = await read();
	for (const { organisation_id: id } of seen) await lockOrganisation(tx, id);
	const person = await people.lock(tx, { id: personId });
	if (!person) throw new Problem("not_found", { detail: "There is no such person." });
	const memberOf = await read();
	const locked = new Set(seen.map((one) => one.organisation_id));
	if (memberOf.some((one) => !locked.has(one.organisation_id))) throw new Problem("conflict", { detail: "This person joined an organisation at this moment. Try again." });
	return {
		person,
		memberOf
	};
}
/** Records what the operator did to a person in each organisation they belong to; under no organisation if in none. */
async function auditPerson(tx, by, { person, memberOf }, action, detail = {}) {
	const places = memberOf.length === 0 ? [""] : memberOf.map((member) => member.organisation_id);
	for (const place of places) await audit(tx, by(place), action, person.id, {
		name: person.name,
		...detail
	});
}

// src/billing/checkout/checkout.ts
/** Checkouts: a sign-up as its page follows it, until the first key was shown, once. */
/** How long the key may be asked for; afterwards the owner signs in and makes one. A bank transfer takes days. */
const CLAIM_DAYS = 30;
async function createCheckout(tx, input) {
	const id = newId("chk");
	const claimToken = randomBase62(32);
	await tx.query(`insert into checkout (id, organisation_id, person_id, claim_digest, invoice_id, created_at)
     values ($1, $2, $3, $4, $5, $6)`, [
		id,
		input.organisationId,
		input.personId,
		sha256Hex(claimToken),
		input.invoiceId,
		tx.nowMs
	]);
	return {
		id,
		claimToken
	};
}
/** By id and the buyer's token: whoever has not both finds nothing. */
async function findCheckout(sql, id, claimToken) {
	const rows = await sql.query(`select c.id, c.organisation_id, c.person_id, c.invoice_id, c.created_at, c.claimed_at, i.state as invoice_state, i.total_pence,
       i.in_advance, o.state as organisation_state, a.plan_id
     from checkout c join organisation o on o.id = c.organisation_id
     join billing_account a on a.organisation_id = c.organisation_id
     left join invoice i on i.id = c.invoice_id where c.id = $1 and c.claim_digest = $2`, [id, sha256Hex(claimToken)]);
	if (!rows[0]) throw new Problem("not_found", { detail: "There is no such checkout." });
	return rows[0];
}
/** Complete once the account runs and what was to be paid first is paid. */
function checkoutState(checkout) {
	return checkout.invoice_state === "open" && checkout.in_advance === 1 || checkout.organisation_state !== "active" ? "pending" : "complete";
}
/** Makes and shows the first key; of any number of claims, at any time, one succeeds. */
async function claimCheckout(tx, { id, claimToken }, from) {
	const seen = await findCheckout(tx, id, claimToken);
	await lockOrganisation(tx, seen.organisation_id);
	const checkout = await findCheckout(tx, id, claimToken);
	const buyer = checkout.person_id && await findMember(tx, checkout.organisation_id, checkout.person_id);
	if (checkout.person_id !== null && !(buyer && buyer.state === "active" && ROLES[buyer.role].makesKeys)) throw new Problem("conflict", { detail: "Whoever signed up may no longer make keys. Sign in and make one." });
	if (checkoutState(checkout) !== "complete") throw new Problem("conflict", { detail: "The account does not run yet: the first invoice is not paid, or the operator has not approved it." });
	if (tx.nowMs > checkout.created_at + CLAIM_DAYS * 864e5) throw new Problem("conflict", { detail: "This checkout is too old to show a key. Sign in and make one." });
	if ((await tx.query("update checkout set claimed_at = $2 where id = $1 and claimed_at is null returning id", [checkout.id, tx.nowMs])).length === 0) throw new Problem("conflict", { detail: "The key of this checkout was shown already. Sign in and make another if it is lost." });
	const actor = systemIn(checkout.organisation_id, {
		id: "checkout",
		...from
	});
	const { key, secret } = await createKey(tx, actor, {
		name: "first key",
		expiresAtMs: null
	});
	await tx.query("update checkout set key_id = $2 where id = $1", [checkout.id, key.id]);
	return {
		organisationId: checkout.organisation_id,
		keyId: key.id,
		secret
	};
}

// src/billing/checkout/sign-up.ts
/**
* New organisations: by sign-up, by the operator, and the one of a first start. All of it is made in one transaction.
*/
/** By the operator's arrangement: an organisation with its account, its first key and, where given, credit and owner. */
async function arrangeOrganisation(tx, rules, input) {
	const organisation = await createOrganisation(tx, {
		name: input.name,
		awaitingApproval: false
	});
	const { id: organisationId } = organisation;
	const actor = operatorIn(organisationId);
	await openAccount(tx, rules, {
		organisationId,
		planId: input.planId
	});
	await audit(tx, actor, "organisation.create", organisationId, {
		name: organisation.name,
		plan: input.planId
	});
	if (input.creditPence) await addCredit(tx, rules, actor, {
		pence: input.creditPence,
		reason: "opening credit"
	});
	const made = await createKey(tx, actor, {
		name: input.keyName ?? "first key",
		expiresAtMs: null
	});
	if (input.owner) {
		const person = await createPerson(tx, {
			...input.owner,
			emailVerified: false
		});
		await admit(tx, actor, {
			personId: person.id,
			role: "owner"
		});
	}
	return {
		organisation,
		actor,
		apiKey: made.secret,
		keyId: made.key.id
	};
}
/** What may be asked of a sign-up before anything is made. */
function requireSignUp(rules, input) {
	if (rules.settings.signUp === "closed") throw new Problem("forbidden", { detail: "Sign-up is closed here. Ask the operator for an account." });
	const plan = requirePlan(rules, input.planId);
	requireOffered(rules, void 0, plan);
	if (input.topUpPence > 0 && plan.monthly_price_pence > 0) throw new Problem("validation_failed", {
		detail: "Credit is bought at checkout on plans without a monthly price. Subscribe first, then top up.",
		errors: [{
			pointer: "/top_up_pence",
			code: "invalid",
			detail: "The plan has a monthly price."
		}]
	});
}
/** Somebody signs up: organisation, owner, account, subscription and its first invoice. */
async function beginCheckout(tx, rules, input) {
	requireSignUp(rules, input);
	const awaitingApproval = rules.settings.signUp === "approval";
	const organisation = await createOrganisation(tx, {
		name: input.organisationName,
		awaitingApproval
	});
	const { id: organisationId } = organisation;
	const person = await createPerson(tx, {
		...input.owner,
		emailVerified: false
	});
	const actor = newcomerIn(organisationId, {
		id: person.id,
		...input.from
	});
	await audit(tx, actor, "organisation.create", organisationId, {
		name: organisation.name,
		plan: input.planId
	});
	await admit(tx, actor, {
		personId: person.id,
		role: "owner"
	});
	const { planId, topUpPence } = input;
	const invoice = await signUp(tx, rules, {
		organisationId,
		planId,
		topUpPence
	});
	const { id, claimToken } = await createCheckout(tx, {
		organisationId,
		personId: person.id,
		invoiceId: invoice?.id ?? null
	});
	await audit(tx, actor, "checkout.complete", id, {
		plan: input.planId,
		terms_accepted: true
	});
	return {
		checkoutId: id,
		claimToken,
		organisationId,
		invoice
	};
}

// src/billing/subscription/overview.ts
/** Newest first. */
async function findOrganisations(reader, query) {
	const { search, state, limit } = query;
	const params = [limit];
	const mark = (value) => `$${params.push(value)}`;
	const wanted = [];
	if (search !== "") {
		const part = `%${search.toLowerCase().replaceAll("%", "").replaceAll("_", "")}%`;
		wanted.push(`(lower(o.name) like ${mark(part)} or o.id = ${mark(search)})`);
	}
	if (state !== void 0) wanted.push(`o.state = ${mark(state)}`);
	if (query.awaitingApproval) wanted.push("o.awaiting_approval = 1");
	const rows = await reader.sql.query(`select ${organisations.columns("o")}, (select count(*) from membership m where m.organisation_id = o.id) as members,
       (select cast(coalesce(sum(i.total_pence), 0) as bigint) from invoice i
         where i.organisation_id = o.id and i.state = 'open' and i.in_advance = 0) as owed_pence
     from organisation o ${wanted.length === 0 ? "" : `where ${wanted.join(" and ")}`}
     order by o.created_at desc, o.id desc limit $1`, params);
	const accountOf = await readAccounts(reader, rows.map((row) => organisations.fromRow(row).id));
	return rows.flatMap((row) => {
		const organisation = organisations.fromRow(row);
		const account = accountOf.get(organisation.id);
		return account ? [{
			organisation,
			account,
			members: row.members,
			owedPence: row.owed_pence
		}] : [];
	});
}

// src/feeds/keys.ts
/** The variable that must be set before this feed can be fetched; undefined when nothing is missing. */
function missingKey({ key }, keys) {
	return key !== void 0 && keys[key] === void 0 ? key : void 0;
}
/** A feed whose key is missing counts as off, whatever the catalogue and the operator say. */
function isOn({ feed, enabled }, keys) {
	return enabled && missingKey(feed, keys) === void 0;
}
const PLACES = /\{key\}|%7Bkey%7D/gi;
const ADDRESSES = /\b[a-z][a-z0-9+.-]*:\/\/\S*[^\s.,;)]/gi;
/** Puts the key into addresses and headers, and takes it out of what goes wrong. */
function keyedFetcher(fetcher, value) {
	const inAddress = encodeURIComponent(value);
	const conceal = (error, address) => {
		const message = (error.message ?? "").replace(ADDRESSES, () => address.replace(PLACES, KEY_PLACE)).replaceAll(value, KEY_PLACE).replaceAll(inAddress, KEY_PLACE);
		if (error instanceof FeedUnreachable) return new FeedUnreachable(message, error.host);
		return error instanceof DocumentGone ? new DocumentGone(message) : new FeedRefused(message);
	};
	async function* concealing(body, address) {
		try {
			yield* body;
		} catch (error) {
			throw conceal(error, address);
		}
	}
	return {
		async fetch(address, options = {}) {
			const headers = Object.fromEntries(Object.entries(options.headers ?? {}).map(([name, text]) => [name, text.replace(PLACES, () => value)]));
			try {
				const fetched = await fetcher.fetch(address.replace(PLACES, () => inAddress), {
					...options,
					headers
				});
				return fetched.status === "ok" ? {
					...fetched,
					body: concealing(fetched.body, address)
				} : fetched;
			} catch (error) {
				throw conceal(error, address);
			}
		},
		close: () => fetcher.close()
	};
}

// src/feeds/publish.ts
/**
* How a compiled snapshot reaches every node. The database says which version is current; on PostgreSQL it also carries
* the file, in chunks, to nodes that lack it. Each node opens and checks the file before it takes the place of the one
* in use, so a refused snapshot changes nothing, and a request keeps the snapshot it began with.
*/
const CHANNEL = "snapshot";
const CHUNK_BYTES = 4194304;
/** The current one and those a rollback can reach. */
const VERSIONS_KEPT = 3;
const POLL_MS = 5e3;
function snapshotFile(dataDir, version) {
	if (!/^[0-9a-z-]+$/.test(version)) throw new Error(`${version} is not a snapshot version.`);
	return join(dataDir, "snapshots", `${version}.snapshot`);
}
/** Newest publication first. */
async function publishedSnapshots(sql) {
	return (await records(sql)).map((record) => ({
		version: record.version,
		builtAtMs: Number(record.built_at),
		bytes: Number(record.bytes),
		publishedAtMs: Number(record.published_at)
	}));
}
function records(sql) {
	return sql.query("select version, built_at, bytes, chunks, published_at from snapshot order by sequence desc");
}
/** Makes a compiled file the current snapshot of all nodes. The file is moved into the data folder. */
async function publishSnapshot(options) {
	const { sql, dataDir, clock } = options;
	const { info, bytes } = openSnapshot(options.file);
	const target = snapshotFile(dataDir, info.version);
	mkdirSync(join(dataDir, "snapshots"), { recursive: true });
	renameSync(options.file, target);
	const publishedAtMs = clock.now();
	const chunks = sql.engine === "postgres" ? Math.ceil(bytes / CHUNK_BYTES) : 0;
	await sql.transaction(async (tx) => {
		const [known] = await tx.query("select version from snapshot where version = $1", [info.version]);
		await tx.query(`insert into snapshot (version, built_at, bytes, chunks, published_at, sequence)
       values ($1, $2, $3, $4, $5, (select coalesce(max(sequence), 0) + 1 from snapshot))
       on conflict (version) do update set published_at = excluded.published_at, sequence = excluded.sequence`, [
			info.version,
			info.builtAtMs,
			bytes,
			chunks,
			publishedAtMs
		]);
		if (!known && chunks > 0) {
			const descriptor = openSync(target, "r");
			try {
				const buffer = new Uint8Array(CHUNK_BYTES);
				for (let number = 0; number < chunks; number++) {
					const got = readSync(descriptor, buffer, 0, CHUNK_BYTES, number * CHUNK_BYTES);
					await tx.query("insert into snapshot_chunk (version, number, data) values ($1, $2, $3)", [
						info.version,
						number,
						buffer.slice(0, got)
					]);
				}
			} finally {
				closeSync(descriptor);
			}
		}
		const old = (await records(tx)).slice(VERSIONS_KEPT);
		for (const { version } of old) {
			await tx.query("delete from snapshot_chunk where version = $1", [version]);
			await tx.query("delete from snapshot where version = $1", [version]);
		}
	});
	await prune(sql, dataDir);
	await sql.notify(CHANNEL, info.version);
	return {
		version: info.version,
		builtAtMs: info.builtAtMs,
		bytes,
		publishedAtMs
	};
}
/** Makes the snapshot before the current one current again; undefined when there is none. */
async function rollbackSnapshot(sql, clock) {
	const change = await sql.transaction(async (tx) => {
		const [current, previous] = await records(tx);
		if (!current || !previous) return void 0;
		await tx.query(`update snapshot set published_at = $2, sequence = (select max(sequence) + 1 from snapshot) where version = $1`, [previous.version, clock.now()]);
		return {
			from: current.version,
			to: previous.version
		};
	});
	if (change) await sql.notify(CHANNEL, change.to);
	return change;
}
/** Files that no publication names any more, except the bundled one that starts a node without a database row. */
async function prune(sql, dataDir) {
	const kept = new Set((await records(sql)).map(({ version }) => `${version}.snapshot`));
	kept.add(BUNDLED);
	kept.add(`${readPointer(dataDir) ?? ""}.snapshot`);
	const folder = join(dataDir, "snapshots");
	for (const name of readdirSync(folder)) if (name.endsWith(".snapshot") && !kept.has(name)) rmSync(join(folder, name), { force: true });
}
const BUNDLED = "bundled.snapshot";
function readPointer(dataDir) {
	try {
		return readFileSync(join(dataDir, "snapshots", "current"), "utf8").trim();
	} catch {
		return;
	}
}
function writePointer(dataDir, version) {
	const file = join(dataDir, "snapshots", "current");
	writeFileSync(`${file}.partial`, `${version}\n`);
	renameSync(`${file}.partial`, file);
}
async function openSnapshotHolder(options) {
	const { sql, dataDir, clock, onError } = options;
	mkdirSync(join(dataDir, "snapshots"), { recursive: true });
	const listeners = /* @__PURE__ */ new Set();
	const refused = /* @__PURE__ */ new Map();
	let closed = false;
	let current = await first();
	let refreshing;
	let again;
	async function first() {
		for (const record of await records(sql)) try {
			return await obtain(record);
		} catch (error) {
			onError(error);
		}
		return openBundled(dataDir, clock, onError);
	}
	async function obtain(record) {
		const file = snapshotFile(dataDir, record.version);
		try {
			const snapshot = openSnapshot(file);
			writePointer(dataDir, record.version);
			return snapshot;
		} catch (error) {
			if (Number(record.chunks) === 0) throw error;
			if (existsSync(file)) onError(error);
		}
		await download(sql, record, file);
		const snapshot = openSnapshot(file);
		writePointer(dataDir, record.version);
		return snapshot;
	}
	async function look() {
		try {
			const [record] = await records(sql);
			if (!record || record.version === current.info.version || closed) return false;
			if (refused.get(record.version) === Number(record.published_at)) return false;
			let next;
			try {
				next = await obtain(record);
			} catch (error) {
				if (error instanceof SnapshotRefused) refused.set(record.version, Number(record.published_at));
				throw error;
			}
			current = next;
			for (const listener of listeners) listener(next);
			return true;
		} catch (error) {
			if (!closed) onError(error);
			return false;
		}
	}
	const refresh = () => {
		if (refreshing) {
			again ??= refreshing.then(() => {
				again = void 0;
				return refresh();
			});
			return again;
		}
		refreshing = look().finally(() => {
			refreshing = void 0;
		});
		return refreshing;
	};
	const unlisten = await sql.listen(CHANNEL, () => void refresh());
	const timer = setInterval(() => void refresh(), options.pollMs ?? POLL_MS);
	timer.unref();
	return {
		current: () => current,
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		refresh,
		async close() {
			closed = true;
			clearInterval(timer);
			await unlisten();
			await (again ?? refreshing);
		}
	};
}
/** As the install compiled it; where it did not, this node does once, into its own folder. */
function openBundled(dataDir, clock, onError, built = BUILT_SNAPSHOT) {
	const own = join(dataDir, "snapshots", BUNDLED);
	for (const file of [built, own]) {
		if (!existsSync(file)) continue;
		try {
			const snapshot = openSnapshot(file);
			if (isFromInstalled(snapshot)) return snapshot;
		} catch (error) {
			onError(error);
		}
	}
	compileBundled({
		file: own,
		nowMs: clock.now()
	});
	return openSnapshot(own);
}
function isFromInstalled({ info }) {
	const state = (sources) => sources.map(({ id, asOfMs }) => `${id} ${asOfMs}`).sort().join();
	return state(info.sources) === state(BUNDLED_SOURCES) && info.sources.every(({ kinds }) => kinds.length > 0);
}
async function download(sql, record, file) {
	const output = beginWholeFile(file);
	try {
		for (let number = 0; number < Number(record.chunks); number++) {
			const [chunk] = await sql.query("select data from snapshot_chunk where version = $1 and number = $2", [record.version, number]);
			if (!chunk) throw new StoreUnavailable(`Part ${number} of the snapshot ${record.version} is not in the database.`);
			output.put(chunk.data);
		}
		output.keep();
	} catch (error) {
		output.discard();
		throw error;
	}
}

// src/feeds/ingest.ts
/** How long a feed that failed once, or a host that was not reached, is left alone. */
const BACK_OFF_MS = 10 * MINUTE_MS;
const BACK_OFF_MAX_MS = 24 * HOUR_MS;
const MISP_EVENTS_MAX = 500;
const TAXII_PAGES_MAX = 1e3;
const TAXII_ACCEPT = "application/taxii+json;version=2.1";
/** A refresh that `signal` ends throws and leaves the feed as it was, still due: nothing was learnt about the feed. */
async function refreshFeed({ store, fetcher, worker, dataDir, clock, keys = {} }, state, options = {}) {
	const { signal } = options;
	const nowMs = clock.now();
	const feed = {
		...state.feed,
		address: addressesOn(state.feed, nowMs)
	};
	const copy = copyFile(dataDir, feed.id);
	const nothing = {
		id: feed.id,
		rows: state.rows,
		junk: {},
		samples: []
	};
	const missing = missingKey(feed, keys);
	if (missing !== void 0) return {
		...nothing,
		status: "failed",
		detail: `It needs ${missing}.`
	};
	const key = feed.key === void 0 ? void 0 : keys[feed.key];
	const stoppable = {
		...fetcher,
		fetch: (address, given) => fetcher.fetch(address, {
			...given,
			signal
		})
	};
	const source = key === void 0 ? stoppable : keyedFetcher(stoppable, key);
	mkdirSync(join(dataDir, "feeds"), { recursive: true });
	const spoolDir = mkdtempSync(join(dataDir, "feeds", ".spool-"));
	try {
		const nextDueAtMs = nowMs + feed.refresh_hours * HOUR_MS;
		const remote = feed.address.some((address) => !isLocal(address));
		const known = existsSync(copy) && !options.accept && !state.held ? state.validators : {};
		const fetched = remote ? await spool(feed, source, spoolDir, known) : void 0;
		if (fetched === "unchanged") {
			await store.recordUnchanged(feed.id, {
				nextDueAtMs,
				nowMs
			});
			return {
				...nothing,
				status: "unchanged",
				detail: void 0
			};
		}
		const incremental = fetched?.incremental ?? false;
		const result = await worker.run({
			task: "ingest",
			feed,
			spooled: fetched?.files,
			baseDir: state.baseDir,
			copy,
			previousRows: existsSync(copy) ? state.rows : void 0,
			incremental,
			accept: options.accept ?? false,
			currentMs: asOfMs(feed, nowMs, Object.values(fetched?.validators ?? {})),
			nowMs
		});
		if (result.held) {
			const previous = state.rows ?? 0;
			await store.recordHeld(feed.id, {
				rows: result.rows,
				previous_rows: previous,
				at_ms: nowMs
			}, {
				nextDueAtMs,
				nowMs
			});
			const detail = `It has ${result.rows} rows and had ${previous}; the earlier copy stays. Take it with --accept.`;
			return {
				...nothing,
				junk: result.junk,
				samples: result.samples,
				status: "held",
				detail
			};
		}
		const rows = incremental ? result.rows + result.retained : result.rows;
		const validators = fetched?.validators ?? {};
		await store.recordCopy(feed.id, {
			rows,
			junk: result.junk,
			validators,
			nextDueAtMs,
			nowMs
		});
		const remarks = (fetched?.gone ?? []).map((address) => `${address} is gone`);
		if (result.retained > 0 && !incremental) remarks.push(`${result.retained} earlier rows kept`);
		const detail = remarks.length > 0 ? remarks.join("; ") : void 0;
		return {
			id: feed.id,
			status: "updated",
			rows,
			junk: result.junk,
			samples: result.samples,
			detail
		};
	} catch (error) {
		signal?.throwIfAborted();
		const { message } = error;
		const host = error instanceof FeedUnreachable ? error.host : void 0;
		const backOffMs = host === void 0 ? Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** Math.min(state.failures, 10)) : BACK_OFF_MS;
		await store.recordFailure(feed.id, message, {
			nextDueAtMs: nowMs + backOffMs,
			nowMs
		});
		return {
			...nothing,
			status: "failed",
			detail: message,
			...host !== void 0 && { unreachableHost: host }
		};
	} finally {
		rmSync(spoolDir, {
			recursive: true,
			force: true
		});
	}
}
/** Brings the documents of a feed into files: all of them, or none when nothing has changed. */
async function spool(feed, fetcher, folder, known) {
	if (feed.format.type === "taxii") return spoolTaxii(feed, feed.format.pages_max ?? TAXII_PAGES_MAX, fetcher, folder, known);
	if (feed.format.type === "misp-feed") return spoolMisp(feed, feed.format.events_max ?? MISP_EVENTS_MAX, fetcher, folder, known);
	const files = [];
	const validators = {};
	const unchanged = [];
	const gone = /* @__PURE__ */ new Map();
	const take = async (address, fetched) => {
		const file = join(folder, String(files.length));
		const digest = await save(fetched.body, file);
		if (feed.sha256_address !== void 0) await checkDigest(feed.sha256_address, digest, feed, fetcher);
		files.push({
			name: feed.address.length > 1 ? address : "",
			address,
			file
		});
		validators[address] = validatorsOf(fetched);
	};
	for (const address of feed.address) {
		if (isLocal(address)) throw new FeedRefused("A feed is either local or fetched; its addresses mix both.");
		const before = known[address];
		try {
			const fetched = await fetcher.fetch(address, {
				headers: feed.headers,
				etag: before?.etag,
				lastModified: before?.last_modified
			});
			if (fetched.status === "unchanged") unchanged.push(address);
			else await take(address, fetched);
		} catch (error) {
			if (!(error instanceof DocumentGone)) throw error;
			gone.set(address, error);
		}
	}
	const [first] = gone.values();
	if (first && gone.size === feed.address.length) throw first;
	if (files.length === 0) return "unchanged";
	for (const address of unchanged) {
		const fetched = await fetcher.fetch(address, { headers: feed.headers });
		if (fetched.status === "ok") await take(address, fetched);
	}
	return {
		files,
		validators,
		incremental: false,
		gone: [...gone.keys()]
	};
}
async function spoolMisp(feed, eventsMax, fetcher, folder, known) {
	const base = folderUrl(feed.address[0]);
	const manifestAddress = new URL("manifest.json", base).href;
	const before = known[manifestAddress];
	const manifest = await fetcher.fetch(manifestAddress, {
		headers: feed.headers,
		etag: before?.etag,
		lastModified: before?.last_modified
	});
	if (manifest.status === "unchanged") return "unchanged";
	const events = mispManifestEvents(await readJson(manifest.body), eventsMax);
	const files = [];
	for (const id of events) {
		const fetched = await fetcher.fetch(new URL(`${id}.json`, base).href, { headers: feed.headers });
		if (fetched.status !== "ok") continue;
		const file = join(folder, String(files.length));
		await save(fetched.body, file);
		files.push({
			name: `${id}.json`,
			file
		});
	}
	return {
		files,
		validators: { [manifestAddress]: validatorsOf(manifest) },
		incremental: false
	};
}
/** TAXII 2.1: the objects of a collection, page by page, added since the last time. */
async function spoolTaxii(feed, pagesMax, fetcher, folder, known) {
	const address = feed.address[0];
	const objects = new URL(address.endsWith("/objects/") ? address : new URL("objects/", folderUrl(address)));
	const addedAfter = known[address]?.added_after;
	const files = [];
	let newest = addedAfter;
	let next;
	for (let page = 0;; page++) {
		if (page >= pagesMax) throw new FeedRefused(`The TAXII collection has more than ${pagesMax} pages.`);
		const url = new URL(objects);
		if (addedAfter !== void 0) url.searchParams.set("added_after", addedAfter);
		if (next !== void 0) url.searchParams.set("next", next);
		const fetched = await fetcher.fetch(url.href, { headers: {
			accept: TAXII_ACCEPT,
			...feed.headers
		} });
		if (fetched.status !== "ok") break;
		const type = fetched.header("content-type") ?? "";
		if (!/^application\/(taxii|stix|json)/i.test(type)) throw new FeedRefused(`The TAXII server answered with ${type === "" ? "no content type" : type}.`);
		const last = fetched.header("x-taxii-date-added-last");
		if (last !== void 0 && (newest === void 0 || last > newest)) newest = last;
		const envelope = await readJson(fetched.body);
		if (!isRecord(envelope)) throw new FeedRefused("The TAXII server did not answer with an envelope.");
		if (Array.isArray(envelope.objects) && envelope.objects.length > 0) {
			const file = join(folder, String(files.length));
			await save(Readable.from([Buffer.from(JSON.stringify({ objects: envelope.objects }))]), file);
			files.push({
				name: `page ${page + 1}`,
				file
			});
		}
		if (envelope.more !== true) break;
		if (typeof envelope.next !== "string" || envelope.next === next) throw new FeedRefused("The TAXII server says there is more but not where it continues.");
		next = envelope.next;
	}
	if (files.length === 0 && addedAfter !== void 0) return "unchanged";
	return {
		files,
		validators: newest === void 0 ? {} : { [address]: { added_after: newest } },
		incremental: addedAfter !== void 0
	};
}
function folderUrl(address) {
	return new URL(address.endsWith("/") ? address : `${address}/`);
}
function validatorsOf(fetched) {
	return {
		...fetched.etag !== void 0 && { etag: fetched.etag },
		...fetched.lastModified !== void 0 && { last_modified: fetched.lastModified }
	};
}
async function save(body, file) {
	const digest = createHash("sha256");
	const tap = new Transform({ transform(chunk, _encoding, done) {
		digest.update(chunk);
		done(null, chunk);
	} });
	await pipeline(body, tap, createWriteStream(file));
	return digest.digest("hex");
}
async function checkDigest(address, digest, feed, fetcher) {
	const fetched = await fetcher.fetch(address, { headers: feed.headers });
	if (fetched.status !== "ok") throw new FeedRefused(`The checksum at ${address} could not be fetched.`);
	let text = "";
	for await (const chunk of fetched.body) {
		text += Buffer.from(chunk).toString("latin1");
		if (text.length > 1e5) break;
	}
	if (!text.toLowerCase().includes(digest)) throw new FeedRefused(`Its SHA-256 is ${digest}, which is not what ${address} states.`);
}

// src/feeds/store.ts
const COLUMNS = `id, definition, base_dir, enabled, rows, junk, fetched_at, checked_at, validators, failures,
  last_error, last_error_at, held, next_due_at`;
const ERROR_CHARACTERS_MAX = 1e3;
function createFeedStore(sql) {
	return {
		async list() {
			return (await sql.query(`select ${COLUMNS} from feed order by id`)).map(stateOf);
		},
		async find(id) {
			const [record] = await sql.query(`select ${COLUMNS} from feed where id = $1`, [id]);
			return record && stateOf(record);
		},
		/**
		* Adds feeds or updates their definitions. A feed that the operator switched on or off stays so; one that was left
		* at its definition's default follows the new definition. `keepLocal` leaves feeds alone that were loaded from a
		* folder, for a start of the server that knows of no folder.
		*/
		async save(feeds, baseDir, nowMs, options = {}) {
			await sql.transaction(async (tx) => {
				for (const feed of feeds) {
					const [known] = await tx.query("select definition, enabled, base_dir from feed where id = $1", [feed.id]);
					if (known && options.keepLocal && known.base_dir !== null) continue;
					const usual = known && JSON.parse(known.definition).enabled;
					const enabled = known !== void 0 && Number(known.enabled) === 1 !== usual ? Number(known.enabled) : feed.enabled ? 1 : 0;
					await tx.query(`insert into feed (id, definition, base_dir, enabled, failures, next_due_at, updated_at)
             values ($1, $2, $3, $4, 0, $5, $5)
             on conflict (id) do update set definition = excluded.definition, base_dir = excluded.base_dir,
               enabled = excluded.enabled, updated_at = excluded.updated_at`, [
						feed.id,
						JSON.stringify(feed),
						baseDir ?? null,
						enabled,
						nowMs
					]);
				}
			});
		},
		async setEnabled(id, enabled, nowMs) {
			return (await sql.query("update feed set enabled = $2, next_due_at = $3, updated_at = $3 where id = $1 returning id", [
				id,
				enabled ? 1 : 0,
				nowMs
			])).length > 0;
		},
		async recordCopy(id, copy) {
			await sql.query(`update feed set rows = $2, junk = $3, validators = $4, next_due_at = $5, fetched_at = $6, checked_at = $6,
           failures = 0, last_error = null, last_error_at = null, held = null, updated_at = $6 where id = $1`, [
				id,
				copy.rows,
				JSON.stringify(copy.junk),
				JSON.stringify(copy.validators),
				copy.nextDueAtMs,
				copy.nowMs
			]);
		},
		async recordUnchanged(id, at) {
			await sql.query(`update feed set checked_at = $3, next_due_at = $2, failures = 0, last_error = null, last_error_at = null,
           updated_at = $3 where id = $1`, [
				id,
				at.nextDueAtMs,
				at.nowMs
			]);
		},
		async recordHeld(id, held, at) {
			await sql.query("update feed set held = $2, checked_at = $4, next_due_at = $3, updated_at = $4 where id = $1", [
				id,
				JSON.stringify(held),
				at.nextDueAtMs,
				at.nowMs
			]);
		},
		async recordFailure(id, error, at) {
			await sql.query(`update feed set failures = failures + 1, last_error = $2, last_error_at = $4, next_due_at = $3,
           updated_at = $4 where id = $1`, [
				id,
				error.slice(0, ERROR_CHARACTERS_MAX),
				at.nextDueAtMs,
				at.nowMs
			]);
		}
	};
}
function stateOf(record) {
	const checked = checkFeed(JSON.parse(record.definition));
	if ("problems" in checked) throw new Error(`The stored feed ${record.id} is not valid: ${checked.problems.join("; ")}.`);
	const time = (value) => value === null ? void 0 : Number(value);
	return {
		feed: checked.feed,
		baseDir: record.base_dir ?? void 0,
		enabled: Number(record.enabled) === 1,
		rows: time(record.rows),
		junk: record.junk === null ? {} : JSON.parse(record.junk),
		fetchedAtMs: time(record.fetched_at),
		checkedAtMs: time(record.checked_at),
		validators: record.validators === null ? {} : JSON.parse(record.validators),
		failures: Number(record.failures),
		lastError: record.last_error ?? void 0,
		lastErrorAtMs: time(record.last_error_at),
		held: record.held === null ? void 0 : JSON.parse(record.held),
		nextDueAtMs: Number(record.next_due_at)
	};
}

// src/feeds/refresh.ts
/** Refreshes feeds one after the other; none can fail the rest. The feed that `signal` interrupts counts as not tried. */
async function syncFeeds(dependencies, states, options = {}) {
	const store = createFeedStore(dependencies.sql);
	const outcomes = [];
	const worker = createFeedWorker();
	try {
		for (const state of states) {
			if (options.signal?.aborted) break;
			if (options.isForLater?.(state.feed)) continue;
			const outcome = await refreshFeed({
				...dependencies,
				store,
				worker
			}, state, {
				accept: options.accept ?? false,
				signal: options.signal
			}).catch((error) => {
				if (options.signal?.aborted) return void 0;
				throw error;
			});
			if (!outcome) break;
			outcomes.push(outcome);
			options.onOutcome?.(outcome);
		}
	} finally {
		await worker.close();
	}
	return outcomes;
}
/** Compiles the last good copies of all feeds that are on with the bundled sources, and makes the result current. */
async function compileAndPublish({ sql, dataDir, clock, keys = {}, leaveOut = [] }) {
	const feeds = (await createFeedStore(sql).list()).filter((state) => isOn(state, keys) && state.fetchedAtMs !== void 0 && existsSync(copyFile(dataDir, state.feed.id))).map((state) => ({
		feed: state.feed,
		copy: copyFile(dataDir, state.feed.id),
		asOfMs: asOfMs(state.feed, state.fetchedAtMs ?? 0, Object.values(state.validators))
	}));
	const folder = join(dataDir, "snapshots");
	mkdirSync(folder, { recursive: true });
	const workDir = mkdtempSync(join(folder, ".compiling-"));
	const worker = createFeedWorker();
	try {
		const file = join(workDir, "snapshot");
		const result = await worker.run({
			task: "compile",
			feeds,
			leaveOut,
			file,
			nowMs: clock.now()
		});
		await publishSnapshot({
			sql,
			dataDir,
			file,
			clock
		});
		return {
			...result,
			feeds: feeds.length
		};
	} finally {
		await worker.close();
		rmSync(workDir, {
			recursive: true,
			force: true
		});
	}
}
/** The lock that the scheduled refresh holds, and that an operator's own refresh takes as well. */
const FEEDS_JOB = "feeds";
/** Short, because a fresh server waits up to one period before its first look. */
const CHECK_PERIOD_MS = MINUTE_MS;
/** Its time has come; or it was last looked at in the future, by a clock that was set back since. */
function isDue({ nextDueAtMs, checkedAtMs = 0, lastErrorAtMs = 0 }, nowMs) {
	return nextDueAtMs <= nowMs || checkedAtMs > nowMs || lastErrorAtMs > nowMs;
}
/** The scheduled refresh: feeds that are due, and a new snapshot when one changed or a day's ageing has passed. */
function feedRefreshJob(options) {
	const { sql, dataDir, clock, keys = {} } = options;
	const onOutcome = ({ samples: _, ...outcome }) => options.onOutcome?.(outcome);
	const reach = createReach(clock, options.onOffline);
	let catalogue = options.catalogue;
	return {
		name: FEEDS_JOB,
		periodMs: CHECK_PERIOD_MS,
		async run(signal) {
			removeLeftovers(dataDir);
			const nowMs = clock.now();
			const store = createFeedStore(sql);
			if (catalogue) {
				await store.save(catalogue, void 0, nowMs, { keepLocal: true });
				catalogue = void 0;
			}
			const due = (await store.list()).filter((state) => isOn(state, keys) && isDue(state, nowMs));
			const round = reach.round(onOutcome);
			const local = new Set(due.filter(({ feed }) => feed.address.every(isLocal)).map(({ feed }) => feed.id));
			const hosts = new Map(due.map(({ feed }) => [feed.id, hostOf(feed)]));
			const outcomes = await syncFeeds(options, due, {
				signal,
				isForLater: round.isForLater,
				onOutcome: (outcome) => local.has(outcome.id) ? onOutcome(outcome) : round.take(outcome, hosts.get(outcome.id))
			});
			round.end();
			if (signal.aborted) return;
			const changed = outcomes.some(({ status }) => status === "updated");
			const [newest] = await publishedSnapshots(sql);
			const aged = newest !== void 0 && Math.floor(newest.publishedAtMs / 864e5) < Math.floor(nowMs / 864e5);
			if (changed || aged) await compileAndPublish(options);
		}
	};
}
/** So many hosts, and no other answer: the server is offline, not they. */
const OFFLINE_HOSTS = 3;
/** The host that a feed is fetched from; undefined for files. */
function hostOf({ address: [first = ""] }) {
	return isLocal(first) ? void 0 : URL.parse(first)?.host;
}
/**
* Tells a server without a network from feeds that fail, so that it is said once and not for every feed. A host that was
* not reached is left alone for the back-off, and is told once until it is reached again.
*/
function createReach(clock, onOffline = () => {}) {
	let wasOffline = false;
	const unreached = /* @__PURE__ */ new Map();
	const isLeftAlone = (host) => {
		const agoMs = clock.now() - (unreached.get(host)?.sinceMs ?? Number.NEGATIVE_INFINITY);
		return agoMs >= 0 && agoMs < BACK_OFF_MS;
	};
	return { round(tell) {
		const withheld = [];
		const hosts = /* @__PURE__ */ new Set();
		let reached = false;
		const isOffline = () => !reached && hosts.size >= (wasOffline ? 1 : OFFLINE_HOSTS);
		const tellWithheld = () => {
			for (const outcome of withheld.splice(0)) {
				const host = outcome.unreachableHost === void 0 ? void 0 : unreached.get(outcome.unreachableHost);
				if (host?.told) continue;
				if (host) host.told = true;
				tell(outcome);
			}
		};
		return {
			/** What is known not to be reached is not tried again for each of its feeds. */
			isForLater(feed) {
				const host = hostOf(feed);
				return host !== void 0 && (isOffline() || isLeftAlone(host));
			},
			take(outcome, ownHost) {
				const { id, unreachableHost } = outcome;
				for (const [host, { feeds }] of unreached) if (host !== unreachableHost && (host === ownHost || feeds.has(id))) unreached.delete(host);
				if (unreachableHost === void 0) reached = true;
				else {
					hosts.add(unreachableHost);
					const known = unreached.get(unreachableHost) ?? {
						sinceMs: 0,
						feeds: /* @__PURE__ */ new Set(),
						told: false
					};
					known.sinceMs = clock.now();
					known.feeds.add(id);
					unreached.set(unreachableHost, known);
				}
				withheld.push(outcome);
				if (reached) tellWithheld();
			},
			end() {
				if (!reached && hosts.size === 0) return;
				const offline = isOffline();
				if (!offline) tellWithheld();
				if (offline !== wasOffline) onOffline(offline);
				wasOffline = offline;
			}
		};
	} };
}
const LEFTOVER_MS = DAY_MS;
/** Folders of work that a killed process left behind. Their age is the disk's own, whatever clock the server runs on. */
function removeLeftovers(dataDir) {
	for (const [folder, prefix] of [["feeds", ".spool-"], ["snapshots", ".compiling-"]]) {
		const parent = join(dataDir, folder);
		if (!existsSync(parent)) continue;
		for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
			const path = join(parent, name);
			const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY };
			if (systemClock.now() - mtimeMs > LEFTOVER_MS) rmSync(path, {
				recursive: true,
				force: true
			});
		}
	}
}

// src/identity/announce.ts
/** What every running node is told, so that it does not go on by what it remembers. */
const OAUTH_CHANNEL = "oauth";
const KEYS_CHANGED = "keys";
async function announceClientChange(sql, clientId) {
	await sql.notify(OAUTH_CHANNEL, JSON.stringify({ client: clientId }));
}
async function announceKeyChange(sql) {
	await sql.notify(OAUTH_CHANNEL, KEYS_CHANGED);
}
/** Somebody was disabled, or lost a membership: look everybody up again. */
async function announcePersonChange(sql) {
	await sql.notify(OAUTH_CHANNEL, "people");
}

// src/identity/clients/clients.ts
/**
* Applications. The kind decides everything a protocol client could ask for otherwise:
*
*  1. `service` acts for itself (client credentials); the others act for a person who consented.
*  2. `service` and `web` prove who they are, by a secret or a key of their own. `spa` and `native` cannot keep a
*     secret and never have one, whatever is asked.
*  3. A client has at least one scope, and only scopes its flow may ask for.
*  4. Redirect addresses are compared exactly; only `native` may use any port of the loopback address.
*/
const CLIENT_KINDS = {
	service: {
		about: "A server acting for itself: client credentials",
		user: false,
		confidential: true
	},
	web: {
		about: "A server acting for people: authorization code",
		user: true,
		confidential: true
	},
	spa: {
		about: "An application in the browser: authorization code, no secret",
		user: true,
		confidential: false
	},
	native: {
		about: "A command line, device or installed application: device flow or authorization code, no secret",
		user: true,
		confidential: false
	}
};
/** The public client every server knows: `assay login`. It belongs to no organisation; who signs in picks the payer. */
const COMMAND_LINE_CLIENT = "assay-cli";
const CLIENT_KIND_NAMES = Object.keys(CLIENT_KINDS);
const CLIENT_STATES = ["active", "disabled"];
const CLIENT_AUTHENTICATIONS = [
	"client_secret",
	"private_key_jwt",
	"none"
];
const clients = defineTable({
	name: "oauth_client",
	key: ["id"],
	fixed: [
		"organisation_id",
		"kind",
		"jwks",
		"created_at"
	],
	columns: {
		id: text(),
		organisation_id: text(),
		kind: text(),
		name: text(),
		scopes: words(),
		redirect_uris: json$1(),
		logout_uris: json$1(),
		secret_digest: orNull(text()),
		jwks: orNull(json$1()),
		state: text(),
		created_at: integer(),
		updated_at: integer()
	}
});
/** How a client proves who it is. */
function authenticationOf(client) {
	if (client.jwks !== null) return "private_key_jwt";
	return client.secret_digest !== null ? "client_secret" : "none";
}
/** What may be said of a client, and changed, at any time. */
function editable({ name, scopes, redirect_uris, logout_uris, state }) {
	return {
		name,
		scopes,
		redirect_uris,
		logout_uris,
		state
	};
}
/** How many applications one organisation may have. */
const CLIENTS_MAX = 500;
const REDIRECTS_MAX$1 = 20;
const CLIENT_KEYS_MAX = 10;
const LOOPBACK = /* @__PURE__ */ new Set([
	"localhost",
	"127.0.0.1",
	"[::1]"
]);
const PRIVATE_MEMBERS = [
	"d",
	"p",
	"q",
	"dp",
	"dq",
	"qi",
	"oth",
	"k",
	"priv"
];
/** Which scopes a client of this kind may be registered for. */
function scopesOfKind(kind) {
	const flow = CLIENT_KINDS[kind].user ? "user" : "clientCredentials";
	return SCOPE_NAMES.filter((scope) => SCOPES[scope][flow]);
}
/** All that is wrong with a registration, each with its place; none when it may be stored. */
function clientProblems(request, { production }) {
	const problems = [];
	const wrong = (field, detail) => problems.push({
		pointer: `/${field}`,
		code: "invalid",
		detail
	});
	const wrongName = nameProblem(request.name);
	if (wrongName) wrong("name", `The name ${wrongName}.`);
	const kind = CLIENT_KIND_NAMES.find((name) => name === request.kind);
	if (!kind) {
		wrong("kind", `The kind must be one of ${CLIENT_KIND_NAMES.join(", ")}.`);
		return problems;
	}
	const wrongScopes = scopesProblem(request.scopes, kind);
	if (wrongScopes) wrong("scopes", wrongScopes);
	const { redirectUris = [], logoutUris = [] } = request;
	if (kind === "service" && redirectUris.length > 0) wrong("redirect_uris", "A service client is never redirected to, so it has no redirect address.");
	if ((kind === "web" || kind === "spa") && redirectUris.length === 0) wrong("redirect_uris", `A ${kind} client needs at least one redirect address.`);
	for (const [field, uris] of [["redirect_uris", redirectUris], ["logout_uris", logoutUris]]) {
		if (uris.length > 20) wrong(field, `At most ${20} addresses.`);
		for (const uri of uris) {
			const wrongUri = redirectProblem(uri, kind, production);
			if (wrongUri) wrong(field, sentence(`${quoted(uri)} ${wrongUri}`));
		}
	}
	if (request.jwks !== void 0) {
		const wrongKeys = CLIENT_KINDS[kind].confidential ? keySetProblem(request.jwks) : `a ${kind} client is public and has no key`;
		if (wrongKeys) wrong("jwks", `The key set is refused: ${wrongKeys}.`);
	}
	return problems;
}
function scopesProblem(scopes, kind) {
	const allowed = scopesOfKind(kind);
	if (scopes.length === 0) return "Name at least one scope.";
	const refused = scopes.filter((scope) => !allowed.includes(scope)).map((scope) => isScope(scope) ? `a ${kind} client may not have ${scope}` : `${quoted(scope)} is not a scope`);
	if (refused.length === 0) return void 0;
	return `${sentence(refused.join("; "))} Scopes of a ${kind} client: ${allowed.join(", ")}.`;
}
const sentence = (words) => `${words[0]?.toUpperCase()}${words.slice(1)}.`;
function redirectProblem(uri, kind, production) {
	const url = URL.parse(uri);
	if (!url || uri.length > 1e3 || /[\s\p{Cc}\p{Cs}*]/u.test(uri)) return "is not an address";
	if (url.hash || uri.includes("#")) return "must not have a fragment";
	if (url.username || url.password) return "must not hold a user name or password";
	if (url.protocol === "https:") return kind === "native" && LOOPBACK.has(url.hostname) ? "must use http on the loopback address" : void 0;
	if (url.protocol !== "http:") return "must be https, or http on the loopback address";
	if (!LOOPBACK.has(url.hostname)) return "must be https";
	return kind === "native" || !production ? void 0 : "must be https: only native clients may use the loopback address";
}
function keySetProblem(jwks) {
	const keys = keysIn(jwks);
	if (!keys || keys.length === 0) return "give a JSON Web Key Set, {\"keys\": [ … ]}";
	if (keys.length > 10) return `at most ${10} keys`;
	for (const key of keys) {
		if (![
			"RSA",
			"EC",
			"OKP"
		].includes(String(key.kty))) return "each key is of type RSA, EC or OKP";
		if (PRIVATE_MEMBERS.some((member) => member in key)) return "it holds a private key, give the public half only";
	}
}
function keysIn(jwks) {
	const keys = typeof jwks === "object" && jwks !== null && "keys" in jwks ? jwks.keys : void 0;
	const isKey = (key) => typeof key === "object" && key !== null;
	return Array.isArray(keys) && keys.every(isKey) ? keys : void 0;
}
function checkedRegistration(request, rules) {
	const errors = clientProblems(request, rules);
	if (errors.length > 0) throw new Problem("validation_failed", {
		detail: errors.map(({ detail }) => detail).join(" "),
		errors
	});
	const keys = keysIn(request.jwks);
	return {
		kind: request.kind,
		name: request.name.trim(),
		scopes: [...new Set(request.scopes.filter(isScope))],
		redirect_uris: [...new Set(request.redirectUris)],
		logout_uris: [...new Set(request.logoutUris)],
		jwks: keys ? { keys } : null
	};
}
/** 256 random bits; the prefix lets a leaked one be recognised. */
function newClientSecret() {
	return `acs_${randomBase62(43)}`;
}
/** Compared in constant time. The secret has full entropy, so a plain digest is enough. */
function isClientSecret(secret, digest) {
	return timingSafeEqual(Buffer.from(sha256Hex(secret)), Buffer.from(digest.padEnd(64).slice(0, 64)));
}
/** Registers an application. `secret` is seen this once; only clients that authenticate by a secret have one. */
async function createClient$1(tx, actor, request, rules) {
	const { organisationId } = actor;
	await lockOrganisation(tx, organisationId);
	requireKeyMaker(actor);
	const registration = checkedRegistration(request, rules);
	requireGrantable(actor, registration.scopes);
	if (await clients.count(tx, { organisation_id: organisationId }) >= 500) throw new Problem("conflict", { detail: `There are ${500} applications. Delete some first.` });
	const { confidential } = CLIENT_KINDS[registration.kind];
	const secret = confidential && registration.jwks === null ? newClientSecret() : null;
	const client = await clients.insert(tx, {
		id: newId("cli"),
		organisation_id: organisationId,
		...registration,
		secret_digest: secret === null ? null : sha256Hex(secret),
		state: "active",
		created_at: tx.nowMs,
		updated_at: tx.nowMs
	});
	await audit(tx, actor, "client.create", client.id, {
		kind: client.kind,
		...editable(client)
	});
	return {
		client,
		secret
	};
}
/** Changes, disables or enables an application. `isAsRead` refuses when it is not as the caller last saw it. */
async function changeClient(tx, actor, clientId, { state, ...wanted }, rules, isAsRead = () => {}) {
	const before = await lockClient(tx, actor, clientId);
	isAsRead(before);
	let after = {
		...before,
		state: state ?? before.state,
		updated_at: tx.nowMs
	};
	if (Object.values(wanted).some((value) => value !== void 0)) {
		const { name, scopes, redirect_uris, logout_uris } = checkedRegistration({
			kind: before.kind,
			name: wanted.name ?? before.name,
			scopes: wanted.scopes ?? before.scopes,
			redirectUris: wanted.redirectUris ?? before.redirect_uris,
			logoutUris: wanted.logoutUris ?? before.logout_uris
		}, rules);
		requireGrantable(actor, scopes);
		after = {
			...after,
			name,
			scopes,
			redirect_uris,
			logout_uris
		};
	}
	await clients.update(tx, after);
	await withdrawInvitations(tx, makerOf(before), after.state === "active" ? after : void 0);
	await audit(tx, actor, "client.update", clientId, {
		from: editable(before),
		to: editable(after)
	});
	return after;
}
const makerOf = (client) => ({
	kind: "application",
	id: client.id,
	organisationId: client.organisation_id
});
/** A new secret; the old one stops at once. */
async function rotateClientSecret(tx, actor, clientId) {
	const before = await lockClient(tx, actor, clientId);
	if (authenticationOf(before) !== "client_secret") throw new Problem("conflict", { detail: "This application has no secret: it is public, or has a key of its own." });
	const secret = newClientSecret();
	const client = await clients.update(tx, {
		...before,
		secret_digest: sha256Hex(secret),
		updated_at: tx.nowMs
	});
	await audit(tx, actor, "client.rotate_secret", clientId, { name: client.name });
	return {
		client,
		secret
	};
}
/** Removes an application and everything ever issued to it. */
async function deleteClient(tx, actor, clientId) {
	const client = await lockClient(tx, actor, clientId);
	await tx.query("delete from oauth_record where client_id = $1", [clientId]);
	await clients.delete(tx, { id: clientId });
	await withdrawInvitations(tx, makerOf(client));
	await audit(tx, actor, "client.delete", clientId, { name: client.name });
}
/** An application whose every scope the actor has. */
async function lockClient(tx, actor, id) {
	await lockOrganisation(tx, actor.organisationId);
	requireKeyMaker(actor);
	const client = await requireClient(tx, {
		id,
		organisation_id: actor.organisationId
	});
	requireGrantable(actor, client.scopes);
	return client;
}
function findClient(sql, where) {
	return clients.find(sql, where);
}
async function requireClient(sql, where) {
	const client = await findClient(sql, where);
	if (!client) throw new Problem("not_found", { detail: "There is no such application." });
	return client;
}
/** Oldest first; without an organisation those of all. */
function listClients(sql, organisationId, page) {
	return clients.page(sql, organisationId === void 0 ? {} : { organisation_id: organisationId }, page);
}
/** A client as the OAuth endpoints need it: with the state of the organisation it belongs to. */
async function findClientInState(sql, id) {
	const [row] = await sql.query(`select ${clients.columns("c")}, o.state as organisation_state
     from oauth_client c join organisation o on o.id = c.organisation_id where c.id = $1`, [id]);
	return row && {
		client: clients.fromRow(row),
		organisationState: row.organisation_state
	};
}

// src/identity/people/changes.ts
/** What the operator does to a person, wherever they belong. Each change is recorded in every one of these places. */
/** Stops a person from signing in until they are enabled again; their sessions and grants end for good. */
async function disablePerson(tx, personId) {
	const held = await lockPerson(tx, personId);
	const { person, memberOf } = held;
	if (person.state === "disabled") return person;
	for (const member of memberOf) {
		await refuseLastOwner(tx, member);
		await withdrawInvitations(tx, makerOf$1(member.organisation_id, personId));
	}
	const disabled = await people.update(tx, {
		...person,
		state: "disabled",
		updated_at: tx.nowMs
	});
	await endSessions(tx, personId);
	const grantsEnded = await endGrants(tx, { personId }, tx.nowMs);
	await auditPerson(tx, operatorIn, held, "person.disable", { grants_ended: grantsEnded });
	return disabled;
}
/** Lets a person sign in again. Nothing that ended comes back. */
async function enablePerson(tx, personId) {
	const held = await lockPerson(tx, personId);
	const { person } = held;
	if (person.state === "active") return person;
	const enabled = await people.update(tx, {
		...person,
		state: "active",
		updated_at: tx.nowMs
	});
	await auditPerson(tx, operatorIn, held, "person.enable");
	return enabled;
}
/** A new password ends what the old one opened: sessions, and what applications were allowed to do. */
async function resetPassword(tx, personId, passwordHash, by = operatorIn) {
	const held = await lockPerson(tx, personId);
	const { person } = held;
	const changed = await people.update(tx, {
		...person,
		updated_at: tx.nowMs
	}, { password_hash: passwordHash });
	await endSessions(tx, personId);
	const grantsEnded = await endGrants(tx, { personId }, tx.nowMs);
	await auditPerson(tx, by, held, "person.password", { grants_ended: grantsEnded });
	return changed;
}

// src/identity/people/operators.ts
/** People who look after every organisation in the console, by the word of whoever runs the server. */
async function isOperator(sql, personId) {
	return (await sql.query("select person_id from operator_person where person_id = $1", [personId])).length > 0;
}
async function setOperator(tx, personId, on) {
	const held = await lockPerson(tx, personId);
	if ((on ? await tx.query("insert into operator_person (person_id, created_at) values ($1, $2) on conflict do nothing returning person_id", [personId, tx.nowMs]) : await tx.query("delete from operator_person where person_id = $1 returning person_id", [personId])).length > 0) await auditPerson(tx, operatorIn, held, "person.operator", { operator: on });
	return held.person;
}

// src/identity/people/passwords.ts
/**
* Passwords, as argon2id in PHC form. 19 MiB and two passes is OWASP's recommendation; a hash takes tens of
* milliseconds on a thread of the pool, so only a few run at once and only so many wait.
*/
const MEMORY_KIB = 19456;
const PASSES = 2;
const TAG_BYTES = 32;
const RUNNING_MAX = 2;
const WAITING_MAX = 40;
const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 256;
function passwordProblem(password) {
	if (password.length < 12) return `is shorter than ${12} characters`;
	if (password.length > 256) return `is longer than ${256} characters`;
}
/** 119 random bits, for an operator to hand over. */
function newPassword() {
	return randomBase62(20);
}
let running = 0;
const waiting = [];
async function inTurn(work) {
	if (running >= RUNNING_MAX) {
		if (waiting.length >= WAITING_MAX) throw new Problem("rate_limited", {
			detail: "Too many people are signing in at this moment. Try again in a few seconds.",
			headers: { "retry-after": "5" }
		});
		await new Promise((go) => waiting.push(go));
	} else running++;
	try {
		return await work();
	} finally {
		const next = waiting.shift();
		if (next) next();
		else running--;
	}
}
function derive$1(password, salt, { memory, passes }) {
	return inTurn(() => new Promise((resolve, reject) => {
		const message = Buffer.from(password.normalize("NFKC"));
		argon2("argon2id", {
			message,
			nonce: salt,
			parallelism: 1,
			tagLength: TAG_BYTES,
			memory,
			passes
		}, (error, tag) => error ? reject(error) : resolve(tag));
	}));
}
const unpadded = (bytes) => Buffer.from(bytes).toString("base64").replace(/=+$/, "");
async function hashPassword(password) {
	const salt = randomBytes(16);
	const tag = await derive$1(password, salt, {
		memory: MEMORY_KIB,
		passes: PASSES
	});
	return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${unpadded(salt)}$${unpadded(tag)}`;
}
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=1\$([A-Za-z0-9+/]{1,128})\$([A-Za-z0-9+/]{43})$/;
let decoy;
/** Whether the password is the one behind the hash. Without a hash (nobody of that name) it takes as long and says no. */
async function verifyPassword(password, stored) {
	decoy ??= hashPassword(randomBase62(20));
	const parts = PHC.exec(stored ?? await decoy);
	if (!parts) throw new Error("a stored password hash is not in the form this version writes");
	const expected = Buffer.from(parts[4] ?? "", "base64");
	const actual = await derive$1(password, Buffer.from(parts[3] ?? "", "base64"), {
		memory: Number(parts[1]),
		passes: Number(parts[2])
	});
	return timingSafeEqual(actual, expected) && stored !== void 0;
}

// src/db/purge.ts
const PURGE_BATCH = 1e3;
const BATCHES_MAX = 1e3;
/**
* Repeats a statement that deletes at most `PURGE_BATCH` rows and returns them until nothing is left: in small steps, so
* that nobody waits for it. Safe to run on several nodes.
*/
async function deleteInSteps(sql, statement, nowMs) {
	let deleted = 0;
	for (let batch = 0; batch < BATCHES_MAX; batch++) {
		const rows = await sql.query(statement, [nowMs]);
		deleted += rows.length;
		if (rows.length < 1e3) break;
	}
	return deleted;
}

// src/live/fact-store.ts
/** Kept in memory alone: an address may be a person's, and the name of a domain is not. */
const UNWRITTEN = "reverse";
/** Changes with the types in facts.ts: a node reads only facts of the form it knows. */
const FORM = 1;
const facts = defineTable({
	name: "live_fact",
	key: ["sort", "name"],
	columns: {
		sort: text(),
		name: text(),
		form: integer(),
		value: text(),
		seenMs: named("seen_at", integer()),
		expiresMs: named("expires_at", integer())
	}
});
/** So many at a time keep a statement short on both engines. */
const LOOKED_UP_AT_ONCE = 256;
/** Those that are known and have not expired. */
async function readFacts(sql, questions, nowMs) {
	const found = [];
	const written = questions.filter(({ sort }) => sort !== UNWRITTEN);
	for (let at = 0; at < written.length; at += LOOKED_UP_AT_ONCE) {
		const params = written.slice(at, at + LOOKED_UP_AT_ONCE).flatMap(({ sort, name }) => [sort, name]);
		while (!Number.isInteger(Math.log2(params.length))) params.push(...params.slice(-2));
		const rows = await sql.query(`select ${facts.columns()} from live_fact
       where expires_at > $1 and form = $2 and (sort, name) in (values ${valuesList(params.length / 2, 2, 3)})`, [
			nowMs,
			FORM,
			...params
		]);
		for (const row of rows) found.push(facts.fromRow(row));
	}
	return found;
}
async function writeFacts(sql, rows) {
	const ordered = rows.filter(({ sort }) => sort !== UNWRITTEN).map((row) => ({
		...row,
		form: FORM
	})).sort((a, b) => keyOf(a) < keyOf(b) ? -1 : 1);
	if (ordered.length === 0) return;
	await sql.transaction((tx) => facts.upsert(tx, ordered));
}
const keyOf = ({ sort, name }) => `${sort} ${name}`;
/** Deletes what has expired, and beyond `rowsMax` what would expire first; says how many. */
async function purgeFacts(sql, nowMs, rowsMax) {
	const expired = await deleteInSteps(sql, `delete from live_fact where (sort, name) in
       (select sort, name from live_fact where expires_at <= $1 limit ${PURGE_BATCH}) returning name`, nowMs);
	const surplus = await facts.count(sql, {}) - rowsMax;
	if (surplus <= 0) return expired;
	const before = (await sql.query(`select expires_at from live_fact order by expires_at limit 1 offset ${surplus}`))[0]?.expires_at ?? nowMs;
	return expired + await deleteInSteps(sql, `delete from live_fact where (sort, name) in
         (select sort, name from live_fact where expires_at < $1 limit ${PURGE_BATCH}) returning name`, before);
}

// src/live/bootstrap-job.ts
/** IANA's list of registries' servers, fetched once a day by one node and kept in the database for all. */
const WHERE = {
	sort: "bootstrap",
	name: "rdap"
};
/** Kept long: an old list is better than that of the release. */
const KEEP_MS = 400 * DAY_MS;
async function readBootstrap(sql, nowMs) {
	const [row] = await readFacts(sql, [WHERE], nowMs);
	return row && {
		text: row.value,
		seenMs: row.seenMs
	};
}
function createBootstrapJob({ sql, clock, url, onRefused }) {
	return {
		name: "registries",
		periodMs: HOUR_MS,
		async run() {
			const nowMs = clock.now();
			const known = await readBootstrap(sql, nowMs);
			if (known && nowMs - known.seenMs < 864e5) return;
			const client = new Client({});
			try {
				const fetched = await refreshBootstrap(client, url);
				if ("problem" in fetched) return onRefused(fetched.problem);
				const value = JSON.stringify(fetched);
				await writeFacts(sql, [{
					...WHERE,
					value,
					seenMs: nowMs,
					expiresMs: nowMs + KEEP_MS
				}]);
			} finally {
				await client.close();
			}
		}
	};
}

// src/live/questions.ts
const NONE = [];
/**
* What to find out about an indicator. `name` is its host name or address in normal form: the local part of a mailbox
* never comes here. Nothing is asked about names and addresses that are not on the public internet.
*/
function questionsAbout(kind, name, sorts) {
	if (kind === "ip") {
		const ip = parseIp(name);
		return ip && specialAddress(ip) === void 0 && sorts.has("reverse") ? [{
			sort: "reverse",
			name
		}] : NONE;
	}
	const parts = hostParts(name);
	const { registrable } = parts;
	if (registrable === void 0 || reservedName(parts) !== void 0) return NONE;
	const questions = [];
	const isTenant = parts.platform !== void 0 && parts.tenant !== void 0;
	if (!isTenant && sorts.has("registration")) questions.push({
		sort: "registration",
		name: registrable
	});
	if (!isTenant && sorts.has("zone")) questions.push({
		sort: "zone",
		name: registrable
	});
	if (sorts.has("host")) questions.push({
		sort: "host",
		name
	});
	if (sorts.has("certificate")) questions.push({
		sort: "certificate",
		name
	});
	return questions;
}

// src/feeds/fetch.ts
const BYTES_MAX = 536870912;
const TIMEOUT_MS = 3e5;
const STALL_MS = 3e4;
const REDIRECTS_MAX = 5;
const REDIRECTS = /* @__PURE__ */ new Set([
	301,
	302,
	303,
	307,
	308
]);
const GONE = /* @__PURE__ */ new Set([404, 410]);
/** No connection came about: no name service, no route, nobody there. */
const UNREACHABLE = /* @__PURE__ */ new Set([
	"ENOTFOUND",
	"EAI_AGAIN",
	"ENETDOWN",
	"ENETUNREACH",
	"EHOSTDOWN",
	"EHOSTUNREACH",
	"ECONNREFUSED",
	"ETIMEDOUT",
	"UND_ERR_CONNECT_TIMEOUT"
]);
function createFetcher(options = {}) {
	const bytesMax = options.bytesMax ?? BYTES_MAX;
	const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
	const resolve = options.lookup ?? ((host) => lookup(host, {
		all: true,
		verbatim: true
	}));
	const checkAddress = (host, address) => {
		const ip = parseIp(address);
		const purpose = ip ? specialPurpose(ip) : "not an address";
		if (purpose === void 0 || options.allowLoopback && purpose === "loopback") return;
		throw new FeedRefused(`${host} is at ${ip ? formatIp(ip) : address}, which is ${purpose}; only public addresses are fetched.`);
	};
	const lookup$1 = (host, lookupOptions, callback) => {
		resolve(host).then((addresses) => {
			if (addresses.length === 0) throw new FeedRefused(`${host} has no address.`);
			for (const { address } of addresses) checkAddress(host, address);
			if (lookupOptions.all) callback(null, [...addresses]);
			else callback(null, addresses[0].address, addresses[0].family);
		}).catch((error) => callback(error, "", 0));
	};
	let loading;
	const client = () => {
		loading ??= import("undici").then((undici) => ({
			request: undici.request,
			agent: new undici.Agent({
				connect: {
					lookup: lookup$1,
					timeout: STALL_MS
				},
				headersTimeout: Math.min(STALL_MS, timeoutMs),
				bodyTimeout: Math.min(STALL_MS, timeoutMs),
				connections: 4
			})
		}));
		return loading;
	};
	const checkUrl = (url) => {
		const literal = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
		if (parseIp(literal)) checkAddress(url.hostname, literal);
		const loopback = options.allowLoopback && url.protocol === "http:";
		if (url.protocol !== "https:" && !loopback) throw new FeedRefused(`${url.href} is not https:.`);
		if (url.username !== "" || url.password !== "") throw new FeedRefused("An address must not hold a user name or password; put them into \"headers\".");
	};
	return {
		async fetch(address, fetchOptions = {}) {
			if (!URL.canParse(address)) throw new FeedRefused(`${address} is not a valid URL.`);
			const { agent, request } = await client();
			const timeout = AbortSignal.timeout(timeoutMs);
			const signal = fetchOptions.signal ? AbortSignal.any([fetchOptions.signal, timeout]) : timeout;
			const origin = new URL(address).origin;
			let url = new URL(address);
			for (let redirects = 0; redirects <= (options.redirectsMax ?? REDIRECTS_MAX); redirects++) {
				checkUrl(url);
				const answer = request(url, {
					dispatcher: agent,
					signal,
					headers: {
						"user-agent": "assay (feed fetcher)",
						"accept-encoding": "identity",
						...fetchOptions.etag !== void 0 && { "if-none-match": fetchOptions.etag },
						...fetchOptions.lastModified !== void 0 && { "if-modified-since": fetchOptions.lastModified },
						...url.origin === origin && fetchOptions.headers
					}
				});
				const response = await Promise.race([answer, rejectedBy(signal)]).catch((cause) => {
					throw described(url, cause, timeoutMs);
				});
				response.body.on("error", () => {});
				const header = (name) => {
					const value = response.headers[name];
					return Array.isArray(value) ? value[0] : value;
				};
				if (REDIRECTS.has(response.statusCode)) {
					await response.body.dump({ limit: 65536 }).catch(() => {});
					const location = header("location");
					if (location === void 0 || !URL.canParse(location, url.href)) throw new FeedRefused(`${url.href} redirects without saying where to.`);
					url = new URL(location, url);
					continue;
				}
				if (response.statusCode === 304) {
					await response.body.dump({ limit: 65536 }).catch(() => {});
					return { status: "unchanged" };
				}
				if (response.statusCode !== 200) {
					await response.body.dump({ limit: 65536 }).catch(() => {});
					const message = `${url.href} answered ${response.statusCode}.`;
					throw GONE.has(response.statusCode) ? new DocumentGone(message) : new FeedRefused(message);
				}
				const announced = Number(header("content-length"));
				if (announced > bytesMax) {
					response.body.destroy();
					throw new FeedRefused(`${url.href} is ${announced} bytes long; ${bytesMax} are allowed.`);
				}
				return {
					status: "ok",
					etag: header("etag"),
					lastModified: header("last-modified"),
					header,
					body: bounded(url, response.body, bytesMax, timeoutMs)
				};
			}
			throw new FeedRefused(`${address} redirects more than ${options.redirectsMax ?? REDIRECTS_MAX} times.`);
		},
		close: async () => (await loading)?.agent.destroy()
	};
}
/** The client heeds its signal only once it is connected, which takes up to 30 seconds. */
function rejectedBy(signal) {
	return new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason);
		else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
}
async function* bounded(url, body, bytesMax, timeoutMs) {
	let bytes = 0;
	try {
		for await (const chunk of body) {
			bytes += chunk.length;
			if (bytes > bytesMax) throw new FeedRefused(`${url.href} is longer than ${bytesMax} bytes.`);
			yield chunk;
		}
	} catch (cause) {
		throw cause instanceof FeedRefused ? cause : described(url, cause, timeoutMs);
	} finally {
		body.destroy();
	}
}
function described(url, cause, timeoutMs) {
	for (let error = cause; error instanceof Error; error = error.cause) if (error instanceof FeedRefused) return error;
	const { name, message } = cause;
	if (isUnreachable(cause)) return new FeedUnreachable(`${url.href} cannot be reached (${message || "no connection"}).`, url.host, { cause });
	if (name === "TimeoutError" || /timeout/i.test(name)) return new FeedRefused(`${url.href} took longer than ${timeoutMs} ms, or stalled.`, { cause });
	return new FeedRefused(`${url.href} cannot be fetched (${message}).`, { cause });
}
/** A name with several addresses fails with one error for each of them. */
function isUnreachable(cause) {
	if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(isUnreachable);
	return UNREACHABLE.has(cause.code ?? "");
}

// node_modules/oidc-provider/lib/helpers/attention.js
const SET_BOLD_YELLOW_TEXT = "\x1B[33;1m";
const SET_BOLD_RED_TEXT = "\x1B[31;1m";
const RESET_ALL_ATTRIBUTES = "\x1B[0m";
let stdout;
if (globalThis.process?.stdout?.isTTY) stdout = (str) => `${SET_BOLD_YELLOW_TEXT}${str}${RESET_ALL_ATTRIBUTES}`;
let stderr;
if (globalThis.process?.stderr?.isTTY) stderr = (str) => `${SET_BOLD_RED_TEXT}${str}${RESET_ALL_ATTRIBUTES}`;
function info(str) {
	const notice = `oidc-provider NOTICE: ${str}`;
	console.info(stdout ? stdout(notice) : notice);
}
function warn(str) {
	const warning = `oidc-provider WARNING: ${str}`;
	console.warn(stderr ? stderr(warning) : warning);
}

// node_modules/oidc-provider/lib/helpers/lru.js
var LRU = class {
	#maxSize;
	#recent = /* @__PURE__ */ new Map();
	#stale = /* @__PURE__ */ new Map();
	#size = 0;
	constructor({ maxSize }) {
		if (!(maxSize && maxSize > 0)) throw new TypeError("`maxSize` must be a number greater than 0");
		this.#maxSize = maxSize;
	}
	#expired(key, entry) {
		if (typeof entry.expiry === "number" && entry.expiry <= Date.now()) {
			this.delete(key);
			return true;
		}
		return false;
	}
	#insert(key, entry) {
		this.#recent.set(key, entry);
		this.#size += 1;
		if (this.#size >= this.#maxSize) {
			this.#size = 0;
			this.#stale = this.#recent;
			this.#recent = /* @__PURE__ */ new Map();
		}
	}
	get(key) {
		if (this.#recent.has(key)) {
			const entry = this.#recent.get(key);
			return this.#expired(key, entry) ? void 0 : entry.value;
		}
		if (this.#stale.has(key)) {
			const entry = this.#stale.get(key);
			if (this.#expired(key, entry)) return void 0;
			this.#stale.delete(key);
			this.#insert(key, entry);
			return entry.value;
		}
	}
	set(key, value, { maxAge } = {}) {
		const expiry = typeof maxAge === "number" && maxAge !== Number.POSITIVE_INFINITY ? Date.now() + maxAge : void 0;
		if (this.#recent.has(key)) this.#recent.set(key, {
			value,
			expiry
		});
		else this.#insert(key, {
			value,
			expiry
		});
		return this;
	}
	has(key) {
		if (this.#recent.has(key)) return !this.#expired(key, this.#recent.get(key));
		if (this.#stale.has(key)) return !this.#expired(key, this.#stale.get(key));
		return false;
	}
	delete(key) {
		const deleted = this.#recent.delete(key);
		if (deleted) this.#size -= 1;
		return this.#stale.delete(key) || deleted;
	}
	clear() {
		this.#recent.clear();
		this.#stale.clear();
		this.#size = 0;
	}
	get size() {
		if (!this.#size) return this.#stale.size;
		let stale = 0;
		for (const key of this.#stale.keys()) if (!this.#recent.has(key)) stale += 1;
		return Math.min(this.#size + stale, this.#maxSize);
	}
};

// node_modules/oidc-provider/lib/consts/param_list.js
var param_list_default = [
	"acr_values",
	"claims_locales",
	"client_id",
	"code_challenge",
	"code_challenge_method",
	"display",
	"id_token_hint",
	"login_hint",
	"max_age",
	"nonce",
	"prompt",
	"redirect_uri",
	"registration",
	"request",
	"request_uri",
	"response_mode",
	"response_type",
	"scope",
	"state",
	"ui_locales"
];

// node_modules/oidc-provider/lib/consts/dev_keystore.js
var dev_keystore_default = { keys: [{
	alg: "RS256",
	d: "VEZOsY07JTFzGTqv6cC2Y32vsfChind2I_TTuvV225_-0zrSej3XLRg8iE_u0-3GSgiGi4WImmTwmEgLo4Qp3uEcxCYbt4NMJC7fwT2i3dfRZjtZ4yJwFl0SIj8TgfQ8ptwZbFZUlcHGXZIr4nL8GXyQT0CK8wy4COfmymHrrUoyfZA154ql_OsoiupSUCRcKVvZj2JHL2KILsq_sh_l7g2dqAN8D7jYfJ58MkqlknBMa2-zi5I0-1JUOwztVNml_zGrp27UbEU60RqV3GHjoqwI6m01U7K0a8Q_SQAKYGqgepbAYOA-P4_TLl5KC4-WWBZu_rVfwgSENwWNEhw8oQ",
	dp: "E1Y-SN4bQqX7kP-bNgZ_gEv-pixJ5F_EGocHKfS56jtzRqQdTurrk4jIVpI-ZITA88lWAHxjD-OaoJUh9Jupd_lwD5Si80PyVxOMI2xaGQiF0lbKJfD38Sh8frRpgelZVaK_gm834B6SLfxKdNsP04DsJqGKktODF_fZeaGFPH0",
	dq: "F90JPxevQYOlAgEH0TUt1-3_hyxY6cfPRU2HQBaahyWrtCWpaOzenKZnvGFZdg-BuLVKjCchq3G_70OLE-XDP_ol0UTJmDTT-WyuJQdEMpt_WFF9yJGoeIu8yohfeLatU-67ukjghJ0s9CBzNE_LrGEV6Cup3FXywpSYZAV3iqc",
	e: "AQAB",
	kid: "keystore-CHANGE-ME",
	kty: "RSA",
	n: "xwQ72P9z9OYshiQ-ntDYaPnnfwG6u9JAdLMZ5o0dmjlcyrvwQRdoFIKPnO65Q8mh6F_LDSxjxa2Yzo_wdjhbPZLjfUJXgCzm54cClXzT5twzo7lzoAfaJlkTsoZc2HFWqmcri0BuzmTFLZx2Q7wYBm0pXHmQKF0V-C1O6NWfd4mfBhbM-I1tHYSpAMgarSm22WDMDx-WWI7TEzy2QhaBVaENW9BKaKkJklocAZCxk18WhR0fckIGiWiSM5FcU1PY2jfGsTmX505Ub7P5Dz75Ygqrutd5tFrcqyPAtPTFDk8X1InxkkUwpP3nFU5o50DGhwQolGYKPGtQ-ZtmbOfcWQ",
	p: "5wC6nY6Ev5FqcLPCqn9fC6R9KUuBej6NaAVOKW7GXiOJAq2WrileGKfMc9kIny20zW3uWkRLm-O-3Yzze1zFpxmqvsvCxZ5ERVZ6leiNXSu3tez71ZZwp0O9gys4knjrI-9w46l_vFuRtjL6XEeFfHEZFaNJpz-lcnb3w0okrbM",
	q: "3I1qeEDslZFB8iNfpKAdWtz_Wzm6-jayT_V6aIvhvMj5mnU-Xpj75zLPQSGa9wunMlOoZW9w1wDO1FVuDhwzeOJaTm-Ds0MezeC4U6nVGyyDHb4CUA3ml2tzt4yLrqGYMT7XbADSvuWYADHw79OFjEi4T3s3tJymhaBvy1ulv8M",
	qi: "wSbXte9PcPtr788e713KHQ4waE26CzoXx-JNOgN0iqJMN6C4_XJEX-cSvCZDf4rh7xpXN6SGLVd5ibIyDJi7bbi5EQ5AXjazPbLBjRthcGXsIuZ3AtQyR0CEWNSdM7EyM5TRdyZQ9kftfz9nI03guW3iKKASETqX2vh0Z8XRjyU",
	use: "sig"
}] };

// node_modules/oidc-provider/lib/consts/client_attributes.js
var client_attributes_exports = /* @__PURE__ */ __exportAll({
	ARYS: () => ARYS$1,
	BOOL: () => BOOL$1,
	CHOICES: () => CHOICES,
	DEFAULTS: () => DEFAULTS,
	ENUM: () => ENUM,
	HTTPS_URI: () => HTTPS_URI$1,
	LOOPBACKS: () => LOOPBACKS$1,
	RECOGNIZED_METADATA: () => RECOGNIZED_METADATA,
	REQUIRED: () => REQUIRED$1,
	STRING: () => STRING$1,
	SYNTAX: () => SYNTAX$1,
	WEB_URI: () => WEB_URI$1,
	WHEN: () => WHEN$1,
	noVSCHAR: () => noVSCHAR
});
const RECOGNIZED_METADATA = [
	"application_type",
	"client_id_issued_at",
	"client_id",
	"client_name",
	"client_secret_expires_at",
	"client_secret",
	"client_uri",
	"contacts",
	"default_acr_values",
	"default_max_age",
	"grant_types",
	"id_token_signed_response_alg",
	"initiate_login_uri",
	"jwks_uri",
	"jwks",
	"logo_uri",
	"policy_uri",
	"redirect_uris",
	"require_auth_time",
	"response_types",
	"response_modes",
	"scope",
	"sector_identifier_uri",
	"subject_type",
	"token_endpoint_auth_method",
	"tos_uri"
];
const DEFAULTS = {
	application_type: "web",
	authorization_signed_response_alg: "RS256",
	backchannel_logout_session_required: false,
	backchannel_user_code_parameter: false,
	grant_types: ["authorization_code"],
	id_token_signed_response_alg: "RS256",
	introspection_signed_response_alg: "RS256",
	post_logout_redirect_uris: [],
	require_auth_time: false,
	require_pushed_authorization_requests: false,
	require_signed_request_object: false,
	dpop_bound_access_tokens: false,
	response_types: ["code"],
	subject_type: "public",
	tls_client_certificate_bound_access_tokens: false,
	token_endpoint_auth_method: "client_secret_basic",
	authorization_details_types: []
};
const REQUIRED$1 = ["client_id"];
const BOOL$1 = [
	"backchannel_logout_session_required",
	"backchannel_user_code_parameter",
	"dpop_bound_access_tokens",
	"require_auth_time",
	"require_pushed_authorization_requests",
	"require_signed_request_object",
	"tls_client_certificate_bound_access_tokens",
	"use_mtls_endpoint_aliases"
];
const ARYS$1 = [
	"contacts",
	"default_acr_values",
	"grant_types",
	"post_logout_redirect_uris",
	"redirect_uris",
	"response_types",
	"response_modes",
	"authorization_details_types"
];
const STRING$1 = [
	"application_type",
	"authorization_encrypted_response_alg",
	"authorization_encrypted_response_enc",
	"authorization_signed_response_alg",
	"backchannel_authentication_request_signing_alg",
	"backchannel_client_notification_endpoint",
	"backchannel_logout_uri",
	"backchannel_token_delivery_mode",
	"client_id",
	"client_name",
	"client_secret",
	"client_uri",
	"id_token_encrypted_response_alg",
	"id_token_encrypted_response_enc",
	"id_token_signed_response_alg",
	"initiate_login_uri",
	"introspection_encrypted_response_alg",
	"introspection_encrypted_response_enc",
	"introspection_signed_response_alg",
	"jwks_uri",
	"logo_uri",
	"policy_uri",
	"request_object_encryption_alg",
	"request_object_encryption_enc",
	"request_object_signing_alg",
	"scope",
	"sector_identifier_uri",
	"subject_type",
	"tls_client_auth_san_dns",
	"tls_client_auth_san_email",
	"tls_client_auth_san_ip",
	"tls_client_auth_san_uri",
	"tls_client_auth_subject_dn",
	"token_endpoint_auth_method",
	"tos_uri",
	"userinfo_encrypted_response_alg",
	"userinfo_encrypted_response_enc",
	"userinfo_signed_response_alg",
	"contacts",
	"default_acr_values",
	"grant_types",
	"post_logout_redirect_uris",
	"redirect_uris",
	"response_types",
	"response_modes",
	"authorization_details_types"
];
const WHEN$1 = {
	authorization_encrypted_response_enc: ["authorization_encrypted_response_alg", "A128CBC-HS256"],
	id_token_encrypted_response_enc: ["id_token_encrypted_response_alg", "A128CBC-HS256"],
	introspection_encrypted_response_enc: ["introspection_encrypted_response_alg", "A128CBC-HS256"],
	request_object_encryption_enc: ["request_object_encryption_alg", "A128CBC-HS256"],
	userinfo_encrypted_response_enc: ["userinfo_encrypted_response_alg", "A128CBC-HS256"],
	id_token_encrypted_response_alg: ["id_token_signed_response_alg"],
	userinfo_encrypted_response_alg: ["userinfo_signed_response_alg"],
	introspection_encrypted_response_alg: ["introspection_signed_response_alg"],
	authorization_encrypted_response_alg: ["authorization_signed_response_alg"]
};
const WEB_URI$1 = [
	"backchannel_client_notification_endpoint",
	"backchannel_logout_uri",
	"client_uri",
	"initiate_login_uri",
	"jwks_uri",
	"logo_uri",
	"policy_uri",
	"sector_identifier_uri",
	"tos_uri"
];
const HTTPS_URI$1 = [
	"backchannel_client_notification_endpoint",
	"initiate_login_uri",
	"sector_identifier_uri"
];
const LOOPBACKS$1 = /* @__PURE__ */ new Set([
	"localhost",
	"127.0.0.1",
	"[::1]"
]);
const ENUM = { application_type: () => ["native", "web"] };
const noVSCHAR = /[^\x20-\x7E]/;
const SYNTAX$1 = {
	client_id: noVSCHAR,
	client_secret: noVSCHAR
};
const CHOICES = {
	authorization_encrypted_response_alg: "authorization_encryption_alg_values_supported",
	authorization_encrypted_response_enc: "authorization_encryption_enc_values_supported",
	authorization_signed_response_alg: "authorization_signing_alg_values_supported",
	backchannel_authentication_request_signing_alg: "backchannel_authentication_request_signing_alg_values_supported",
	id_token_encrypted_response_alg: "id_token_encryption_alg_values_supported",
	id_token_encrypted_response_enc: "id_token_encryption_enc_values_supported",
	id_token_signed_response_alg: "id_token_signing_alg_values_supported",
	introspection_encrypted_response_alg: "introspection_encryption_alg_values_supported",
	introspection_encrypted_response_enc: "introspection_encryption_enc_values_supported",
	introspection_signed_response_alg: "introspection_signing_alg_values_supported",
	request_object_encryption_alg: "request_object_encryption_alg_values_supported",
	request_object_encryption_enc: "request_object_encryption_enc_values_supported",
	request_object_signing_alg: "request_object_signing_alg_values_supported",
	subject_type: "subject_types_supported",
	token_endpoint_auth_method: "token_endpoint_auth_methods_supported",
	token_endpoint_auth_signing_alg: "token_endpoint_auth_signing_alg_values_supported",
	userinfo_encrypted_response_alg: "userinfo_encryption_alg_values_supported",
	userinfo_encrypted_response_enc: "userinfo_encryption_enc_values_supported",
	userinfo_signed_response_alg: "userinfo_signing_alg_values_supported"
};

// node_modules/oidc-provider/lib/consts/jwa.js
var jwa_exports = /* @__PURE__ */ __exportAll({
	attestSigningAlgValues: () => attestSigningAlgValues,
	authorizationEncryptionAlgValues: () => authorizationEncryptionAlgValues,
	authorizationEncryptionEncValues: () => authorizationEncryptionEncValues,
	authorizationSigningAlgValues: () => authorizationSigningAlgValues,
	clientAuthSigningAlgValues: () => clientAuthSigningAlgValues,
	dPoPSigningAlgValues: () => dPoPSigningAlgValues,
	idTokenEncryptionAlgValues: () => idTokenEncryptionAlgValues,
	idTokenEncryptionEncValues: () => idTokenEncryptionEncValues,
	idTokenSigningAlgValues: () => idTokenSigningAlgValues,
	introspectionEncryptionAlgValues: () => introspectionEncryptionAlgValues,
	introspectionEncryptionEncValues: () => introspectionEncryptionEncValues,
	introspectionSigningAlgValues: () => introspectionSigningAlgValues,
	requestObjectEncryptionAlgValues: () => requestObjectEncryptionAlgValues,
	requestObjectEncryptionEncValues: () => requestObjectEncryptionEncValues,
	requestObjectSigningAlgValues: () => requestObjectSigningAlgValues,
	userinfoEncryptionAlgValues: () => userinfoEncryptionAlgValues,
	userinfoEncryptionEncValues: () => userinfoEncryptionEncValues,
	userinfoSigningAlgValues: () => userinfoSigningAlgValues
});
const signingAlgValues = [
	"HS256",
	"HS384",
	"HS512",
	"RS256",
	"RS384",
	"RS512",
	"PS256",
	"PS384",
	"PS512",
	"ES256",
	"ES384",
	"ES512",
	"Ed25519",
	"EdDSA"
];
const version = globalThis.process?.version?.substring(1).split(".").map((i) => parseInt(i, 10));
if (version[0] > 24 || version[0] === 24 && version[1] >= 7) signingAlgValues.push("ML-DSA-44", "ML-DSA-65", "ML-DSA-87");
const encryptionAlgValues = [
	"RSA-OAEP",
	"RSA-OAEP-256",
	"RSA-OAEP-384",
	"RSA-OAEP-512",
	"ECDH-ES",
	"ECDH-ES+A128KW",
	"ECDH-ES+A192KW",
	"ECDH-ES+A256KW",
	"A128GCMKW",
	"A192GCMKW",
	"A256GCMKW",
	"A128KW",
	"A192KW",
	"A256KW",
	"dir"
];
const encryptionEncValues = [
	"A128CBC-HS256",
	"A128GCM",
	"A192CBC-HS384",
	"A192GCM",
	"A256CBC-HS512",
	"A256GCM"
];
const clientAuthSigningAlgValues = [...signingAlgValues];
const idTokenSigningAlgValues = [...signingAlgValues];
const requestObjectSigningAlgValues = [...signingAlgValues];
const userinfoSigningAlgValues = [...signingAlgValues];
const introspectionSigningAlgValues = [...signingAlgValues];
const authorizationSigningAlgValues = [...signingAlgValues];
const idTokenEncryptionAlgValues = [...encryptionAlgValues];
const requestObjectEncryptionAlgValues = [...encryptionAlgValues];
const userinfoEncryptionAlgValues = [...encryptionAlgValues];
const introspectionEncryptionAlgValues = [...encryptionAlgValues];
const authorizationEncryptionAlgValues = [...encryptionAlgValues];
const idTokenEncryptionEncValues = [...encryptionEncValues];
const requestObjectEncryptionEncValues = [...encryptionEncValues];
const userinfoEncryptionEncValues = [...encryptionEncValues];
const introspectionEncryptionEncValues = [...encryptionEncValues];
const authorizationEncryptionEncValues = [...encryptionEncValues];
const dPoPSigningAlgValues = [...signingAlgValues].filter((alg) => !alg.startsWith("HS"));
const attestSigningAlgValues = [...signingAlgValues].filter((alg) => !alg.startsWith("HS"));

// node_modules/oidc-provider/lib/consts/index.js
const PUSHED_REQUEST_URN = "urn:ietf:params:oauth:request_uri:";

// node_modules/oidc-provider/lib/helpers/_/is_plain_object.js
var is_plain_object_default = (a) => !!a && a.constructor === Object;

// node_modules/oidc-provider/lib/helpers/_/merge.js
function merge(target, ...sources) {
	for (const source of sources) {
		if (!is_plain_object_default(source)) continue;
		for (const [key, value] of Object.entries(source)) {
			if (key === "__proto__" || key === "constructor") continue;
			if (is_plain_object_default(target[key]) && is_plain_object_default(value)) target[key] = merge(target[key], value);
			else if (typeof value !== "undefined") target[key] = value;
		}
	}
	return target;
}

// node_modules/oidc-provider/lib/helpers/_/pick.js
var pick_default = (object = {}, ...properties) => {
	const result = {};
	properties.forEach((property) => {
		if (Object.hasOwn(object, property)) result[property] = object[property];
	});
	return result;
};

// node_modules/oidc-provider/lib/helpers/_/remove.js
var remove_default = (array, predicate) => {
	const remove = [];
	array.forEach((value, index) => {
		if (predicate(value, index, array)) remove.unshift(index);
	});
	remove.forEach((i) => {
		array.splice(i, 1);
	});
};

// node_modules/oidc-provider/lib/helpers/_/set.js
var set_default = (object, path, value) => {
	const properties = path.split(".");
	if (properties.includes("__proto__") || properties.includes("constructor")) throw new TypeError("__proto__ and constructor cannot be set");
	let current = object;
	properties.forEach((property, i) => {
		if (i + 1 === properties.length) current[property] = value;
		else if (!(property in current) || !is_plain_object_default(current[property])) current[property] = {};
		current = current[property];
	});
};

// node_modules/oidc-provider/lib/helpers/_/upper_first.js
var upper_first_default = (str = "") => `${str.charAt(0).toUpperCase()}${str.slice(1)}`;

// node_modules/oidc-provider/lib/helpers/_/camel_case.js
var camel_case_default = (str = "") => str.replace(/(_\w)/g, (x) => x.replace("_", "").toUpperCase());

// node_modules/oidc-provider/lib/helpers/errors.js
var errors_exports$1 = /* @__PURE__ */ __exportAll({
	AccessDenied: () => AccessDenied,
	AuthorizationPending: () => AuthorizationPending,
	ConsentRequired: () => ConsentRequired,
	CredentialRequestDenied: () => CredentialRequestDenied,
	CustomOIDCProviderError: () => CustomOIDCProviderError,
	ExpiredLoginHintToken: () => ExpiredLoginHintToken,
	ExpiredToken: () => ExpiredToken,
	InsufficientScope: () => InsufficientScope,
	InteractionRequired: () => InteractionRequired,
	InvalidAuthorizationDetails: () => InvalidAuthorizationDetails,
	InvalidBindingMessage: () => InvalidBindingMessage,
	InvalidClient: () => InvalidClient,
	InvalidClientAttestation: () => InvalidClientAttestation,
	InvalidClientAuth: () => InvalidClientAuth,
	InvalidClientMetadata: () => InvalidClientMetadata,
	InvalidCredentialRequest: () => InvalidCredentialRequest,
	InvalidDpopProof: () => InvalidDpopProof,
	InvalidGrant: () => InvalidGrant$1,
	InvalidNonce: () => InvalidNonce,
	InvalidProof: () => InvalidProof,
	InvalidRedirectUri: () => InvalidRedirectUri,
	InvalidRequest: () => InvalidRequest,
	InvalidRequestObject: () => InvalidRequestObject,
	InvalidRequestUri: () => InvalidRequestUri,
	InvalidScope: () => InvalidScope,
	InvalidSoftwareStatement: () => InvalidSoftwareStatement,
	InvalidTarget: () => InvalidTarget,
	InvalidToken: () => InvalidToken,
	InvalidUserCode: () => InvalidUserCode,
	LoginRequired: () => LoginRequired,
	MissingUserCode: () => MissingUserCode,
	OIDCProviderError: () => OIDCProviderError,
	RegistrationNotSupported: () => RegistrationNotSupported,
	RequestNotSupported: () => RequestNotSupported,
	RequestUriNotSupported: () => RequestUriNotSupported,
	SessionNotFound: () => SessionNotFound,
	SlowDown: () => SlowDown,
	TemporarilyUnavailable: () => TemporarilyUnavailable,
	TransactionFailed: () => TransactionFailed,
	UnapprovedSoftwareStatement: () => UnapprovedSoftwareStatement,
	UnauthorizedClient: () => UnauthorizedClient,
	UnknownCredentialConfiguration: () => UnknownCredentialConfiguration,
	UnknownCredentialIdentifier: () => UnknownCredentialIdentifier,
	UnknownUserId: () => UnknownUserId,
	UnmetAuthenticationRequirements: () => UnmetAuthenticationRequirements,
	UnsupportedGrantType: () => UnsupportedGrantType,
	UnsupportedResponseMode: () => UnsupportedResponseMode,
	UnsupportedResponseType: () => UnsupportedResponseType,
	UnsupportedTokenType: () => UnsupportedTokenType,
	UseAttestationChallenge: () => UseAttestationChallenge,
	UseDpopNonce: () => UseDpopNonce,
	UseFreshAttestation: () => UseFreshAttestation
});
var OIDCProviderError = class extends Error {
	allow_redirect = true;
	constructor(status, message, options = void 0) {
		if (typeof options === "string") options = { detail: options };
		let detail = options?.detail;
		if (detail === void 0 && options?.cause instanceof Error) detail = options.cause.message;
		super(message, options);
		this.name = this.constructor.name;
		this.message = message;
		this.error = message;
		this.status = status;
		this.statusCode = status;
		this.expose = status < 500;
		if (detail !== void 0) this.error_detail = detail;
	}
};
var CustomOIDCProviderError = class extends OIDCProviderError {
	constructor(message, description, options = void 0) {
		super(400, message, options);
		Error.captureStackTrace(this, this.constructor);
		Object.assign(this, { error_description: description });
	}
};
var InvalidToken = class extends OIDCProviderError {
	error_description = "invalid token provided";
	constructor(options) {
		super(401, "invalid_token", options);
		Error.captureStackTrace(this, this.constructor);
		Object.assign(this, { error_detail: this.error_detail });
	}
};
var InvalidClientMetadata = class extends OIDCProviderError {
	constructor(description, options) {
		const message = description.startsWith("redirect_uris") ? "invalid_redirect_uri" : "invalid_client_metadata";
		super(400, message, options);
		Error.captureStackTrace(this, this.constructor);
		Object.assign(this, {
			error_description: description,
			error_detail: this.error_detail
		});
	}
};
var InvalidScope = class extends OIDCProviderError {
	constructor(description, scope, options) {
		super(400, "invalid_scope", options);
		Error.captureStackTrace(this, this.constructor);
		Object.assign(this, {
			scope,
			error_description: description,
			error_detail: this.error_detail
		});
	}
};
var InsufficientScope = class extends OIDCProviderError {
	constructor(description, scope, options) {
		super(403, "insufficient_scope", options);
		Error.captureStackTrace(this, this.constructor);
		Object.assign(this, {
			scope,
			error_description: description,
			error_detail: this.error_detail
		});
	}
};
var InvalidRequest = class extends OIDCProviderError {
	constructor(description, code, options) {
		super(code ?? 400, "invalid_request", options);
		Error.captureStackTrace(this, this.constructor);
		Object.assign(this, {
			error_description: description || "request is invalid",
			error_detail: this.error_detail,
			expose: true
		});
	}
};
var SessionNotFound = class extends InvalidRequest {};
var InvalidClientAuth = class extends OIDCProviderError {
	error_description = "client authentication failed";
	constructor(options) {
		super(401, "invalid_client", options);
		Error.captureStackTrace(this, this.constructor);
		Object.assign(this, { error_detail: this.error_detail });
	}
};
var InvalidGrant$1 = class extends OIDCProviderError {
	error_description = "grant request is invalid";
	constructor(options) {
		super(400, "invalid_grant", options);
		Error.captureStackTrace(this, this.constructor);
		Object.assign(this, { error_detail: this.error_detail });
	}
};
var InvalidRedirectUri = class extends OIDCProviderError {
	error_description = "redirect_uri did not match any of the client's registered redirect_uris";
	allow_redirect = false;
	constructor(options = void 0) {
		super(400, "invalid_redirect_uri", typeof options === "object" ? options : void 0);
		Error.captureStackTrace(this, this.constructor);
	}
};
function E(message, errorDescription) {
	const klassName = upper_first_default(camel_case_default(message));
	const klass = class extends OIDCProviderError {
		error_description = errorDescription;
		constructor(description, options) {
			super(400, message, options);
			Error.captureStackTrace(this, this.constructor);
			if (description) this.error_description = description;
			if (!this.error_detail) delete this.error_detail;
		}
	};
	Object.defineProperty(klass, "name", { value: klassName });
	return klass;
}
const AccessDenied = E("access_denied");
const AuthorizationPending = E("authorization_pending", "authorization request is still pending as the end-user hasn't yet completed the user interaction steps");
const ConsentRequired = E("consent_required");
const ExpiredLoginHintToken = E("expired_login_hint_token");
const ExpiredToken = E("expired_token");
const InteractionRequired = E("interaction_required");
const InvalidBindingMessage = E("invalid_binding_message");
const InvalidAuthorizationDetails = E("invalid_authorization_details");
const InvalidCredentialRequest = E("invalid_credential_request");
const InvalidNonce = E("invalid_nonce");
const InvalidClient = E("invalid_client");
const InvalidDpopProof = E("invalid_dpop_proof");
const InvalidRequestObject = E("invalid_request_object");
const InvalidRequestUri = E("invalid_request_uri");
const InvalidProof = E("invalid_proof");
const InvalidSoftwareStatement = E("invalid_software_statement");
const InvalidTarget = E("invalid_target", "resource indicator is missing, or unknown");
const UnknownCredentialConfiguration = E("unknown_credential_configuration");
const UnknownCredentialIdentifier = E("unknown_credential_identifier");
const InvalidUserCode = E("invalid_user_code");
const LoginRequired = E("login_required");
const MissingUserCode = E("missing_user_code");
const RegistrationNotSupported = E("registration_not_supported");
const RequestNotSupported = E("request_not_supported");
const RequestUriNotSupported = E("request_uri_not_supported");
const SlowDown = E("slow_down", "you are polling too quickly and should back off at a reasonable rate");
const TemporarilyUnavailable = E("temporarily_unavailable");
const TransactionFailed = E("transaction_failed");
const UnapprovedSoftwareStatement = E("unapproved_software_statement");
const UnauthorizedClient = E("unauthorized_client");
const UnknownUserId = E("unknown_user_id");
const UnmetAuthenticationRequirements = E("unmet_authentication_requirements");
const UnsupportedGrantType = E("unsupported_grant_type", "unsupported grant_type requested");
const UnsupportedResponseMode = E("unsupported_response_mode", "unsupported response_mode requested");
const UnsupportedResponseType = E("unsupported_response_type", "unsupported response_type requested");
const CredentialRequestDenied = E("credential_request_denied");
const UseDpopNonce = E("use_dpop_nonce");
const UnsupportedTokenType = E("unsupported_token_type");
const UseAttestationChallenge = E("use_attestation_challenge");
const UseFreshAttestation = E("use_fresh_attestation");
const InvalidClientAttestation = E("invalid_client_attestation");

// node_modules/oidc-provider/lib/helpers/html_safe.js
function htmlSafe(input) {
	if (typeof input === "number" && Number.isFinite(input)) return `${input}`;
	if (typeof input === "string") return input.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#39;");
	if (typeof input === "boolean") return input.toString();
	return "";
}

// node_modules/oidc-provider/lib/helpers/interaction_policy/check.js
var Check = class {
	constructor(reason, description, error, check = () => {}, details = () => {}) {
		if (typeof error === "function") {
			details = check;
			check = error;
			error = void 0;
		}
		this.reason = reason;
		this.description = description;
		this.error = error;
		this.details = details;
		this.check = check;
	}
};
Check.REQUEST_PROMPT = true;
Check.NO_NEED_TO_PROMPT = false;

// node_modules/oidc-provider/lib/helpers/interaction_policy/prompt.js
var Prompt = class {
	constructor({ name, requestable = false } = {}, details, ...checks) {
		if (typeof requestable !== "boolean") throw new Error("requestable argument must be provided as Boolean");
		if (details instanceof Check) {
			checks.unshift(details);
			details = () => {};
		}
		if (typeof details === "undefined") details = () => {};
		let error;
		switch (name) {
			case "none": throw new Error("prompt none is special, cannot be registered like this");
			case "login":
			case "consent":
				error = `${name}_required`;
				break;
			case "select_account":
				error = "account_selection_required";
				break;
			default: error = "interaction_required";
		}
		checks.forEach((check) => {
			if (check.error === void 0) check.error = error;
		});
		if (requestable) checks.unshift(new Check(`${name}_prompt`, `${name} prompt was not resolved`, error, (ctx) => {
			const { oidc } = ctx;
			if (oidc.prompts.has(name) && oidc.promptPending(name)) return true;
			return false;
		}));
		this.name = name;
		this.requestable = requestable;
		this.details = details;
		this.checks = checks;
		Object.defineProperties(this.checks, {
			get: { value(reason) {
				if (typeof reason !== "string") throw new TypeError("reason must be a string");
				return this.find((p) => p.reason === reason);
			} },
			remove: { value(reason) {
				if (typeof reason !== "string") throw new TypeError("reason must be a string");
				const i = this.findIndex((p) => p.reason === reason);
				if (i !== -1) this.splice(i, 1);
			} },
			clear: { value() {
				while (this.length) this.splice(0, 1);
			} },
			add: { value(check, i = this.length) {
				if (!(check instanceof Check)) throw new TypeError("argument must be an instance of Check");
				this.splice(i, 0, check);
			} }
		});
	}
};

// node_modules/oidc-provider/lib/helpers/weak_cache.js
let read = () => void 0;
function get$2(ctx) {
	return read(ctx);
}
function setReader(reader) {
	read = reader;
}

// node_modules/oidc-provider/lib/helpers/interaction_policy/prompts/login.js
var login_default = () => new Prompt({
	name: "login",
	requestable: true
}, (ctx) => {
	const { oidc } = ctx;
	return {
		...oidc.params.max_age === void 0 ? void 0 : { max_age: oidc.params.max_age },
		...oidc.params.login_hint === void 0 ? void 0 : { login_hint: oidc.params.login_hint },
		...oidc.params.id_token_hint === void 0 ? void 0 : { id_token_hint: oidc.params.id_token_hint }
	};
}, new Check("no_session", "End-User authentication is required", (ctx) => {
	const { oidc } = ctx;
	if (oidc.session.accountId) return Check.NO_NEED_TO_PROMPT;
	return Check.REQUEST_PROMPT;
}), new Check("max_age", "End-User authentication could not be obtained", (ctx) => {
	const { oidc } = ctx;
	if (oidc.params.max_age === void 0) return Check.NO_NEED_TO_PROMPT;
	if (!oidc.session.accountId) return Check.REQUEST_PROMPT;
	if (oidc.session.past(oidc.params.max_age) && !ctx.oidc.result?.login) return Check.REQUEST_PROMPT;
	return Check.NO_NEED_TO_PROMPT;
}), new Check("id_token_hint", "id_token_hint and authenticated subject do not match", async (ctx) => {
	const { oidc } = ctx;
	if (oidc.entities.IdTokenHint === void 0) return Check.NO_NEED_TO_PROMPT;
	const { payload } = oidc.entities.IdTokenHint;
	let sub = oidc.session.accountId;
	if (sub === void 0) return Check.REQUEST_PROMPT;
	if (oidc.client.subjectType === "pairwise") sub = await get$2(oidc.provider).configuration.pairwiseIdentifier(ctx, sub, oidc.client);
	if (payload.sub !== sub) return Check.REQUEST_PROMPT;
	return Check.NO_NEED_TO_PROMPT;
}), new Check("claims_id_token_sub_value", "requested subject could not be obtained", async (ctx) => {
	const { oidc } = ctx;
	if (!oidc.claims.id_token?.sub || !("value" in oidc.claims.id_token.sub)) return Check.NO_NEED_TO_PROMPT;
	let sub = oidc.session.accountId;
	if (sub === void 0) return Check.REQUEST_PROMPT;
	if (oidc.client.subjectType === "pairwise") sub = await get$2(oidc.provider).configuration.pairwiseIdentifier(ctx, sub, oidc.client);
	if (oidc.claims.id_token.sub.value !== sub) return Check.REQUEST_PROMPT;
	return Check.NO_NEED_TO_PROMPT;
}, ({ oidc }) => ({ sub: oidc.claims.id_token.sub })), new Check("essential_acrs", "none of the requested ACRs could be obtained", (ctx) => {
	const { oidc } = ctx;
	const request = oidc.claims?.id_token?.acr ?? {};
	if (!request?.essential || !request?.values) return Check.NO_NEED_TO_PROMPT;
	if (!Array.isArray(oidc.claims.id_token.acr.values)) throw new InvalidRequest("invalid claims.id_token.acr.values type");
	if (request.values.includes(oidc.acr)) return Check.NO_NEED_TO_PROMPT;
	return Check.REQUEST_PROMPT;
}, ({ oidc }) => ({ acr: oidc.claims.id_token.acr })), new Check("essential_acr", "requested ACR could not be obtained", (ctx) => {
	const { oidc } = ctx;
	const request = oidc.claims?.id_token?.acr ?? {};
	if (!request?.essential || !request?.value) return Check.NO_NEED_TO_PROMPT;
	if (request.value === oidc.acr) return Check.NO_NEED_TO_PROMPT;
	return Check.REQUEST_PROMPT;
}, ({ oidc }) => ({ acr: oidc.claims.id_token.acr })));

// node_modules/oidc-provider/lib/helpers/interaction_policy/prompts/consent.js
const missingOIDCScope = Symbol();
const missingOIDCClaims = Symbol();
const missingResourceScopes = Symbol();
var consent_default = () => new Prompt({
	name: "consent",
	requestable: true
}, new Check("native_client_prompt", "native clients require End-User interaction", "interaction_required", (ctx) => {
	const { oidc } = ctx;
	if (oidc.client.applicationType === "native" && oidc.params.response_type !== "none" && !oidc.result?.consent) return Check.REQUEST_PROMPT;
	return Check.NO_NEED_TO_PROMPT;
}), new Check("op_scopes_missing", "requested scopes not granted", (ctx) => {
	const { oidc } = ctx;
	const encounteredScopes = new Set(oidc.grant.getOIDCScopeEncountered().split(" "));
	let missing;
	for (const scope of oidc.requestParamOIDCScopes) if (!encounteredScopes.has(scope)) {
		missing ||= [];
		missing.push(scope);
	}
	if (missing?.length) {
		ctx.oidc[missingOIDCScope] = missing;
		return Check.REQUEST_PROMPT;
	}
	return Check.NO_NEED_TO_PROMPT;
}, ({ oidc }) => ({ missingOIDCScope: oidc[missingOIDCScope] })), new Check("op_claims_missing", "requested claims not granted", (ctx) => {
	const { oidc } = ctx;
	const encounteredClaims = new Set(oidc.grant.getOIDCClaimsEncountered());
	let missing;
	for (const claim of oidc.requestParamClaims) if (!encounteredClaims.has(claim) && ![
		"sub",
		"sid",
		"auth_time",
		"acr",
		"amr",
		"iss"
	].includes(claim)) {
		missing ||= [];
		missing.push(claim);
	}
	if (missing?.length) {
		ctx.oidc[missingOIDCClaims] = missing;
		return Check.REQUEST_PROMPT;
	}
	return Check.NO_NEED_TO_PROMPT;
}, ({ oidc }) => ({ missingOIDCClaims: oidc[missingOIDCClaims] })), new Check("rs_scopes_missing", "requested scopes not granted", (ctx) => {
	const { oidc } = ctx;
	let missing;
	for (const [indicator, resourceServer] of Object.entries(ctx.oidc.resourceServers)) {
		const encounteredScopes = new Set(oidc.grant.getResourceScopeEncountered(indicator).split(" "));
		const requestedScopes = ctx.oidc.requestParamScopes;
		const availableScopes = resourceServer.scopes;
		for (const scope of requestedScopes) if (availableScopes.has(scope) && !encounteredScopes.has(scope)) {
			missing ||= {};
			missing[indicator] ||= [];
			missing[indicator].push(scope);
		}
	}
	if (missing && Object.keys(missing).length) {
		ctx.oidc[missingResourceScopes] = missing;
		return Check.REQUEST_PROMPT;
	}
	return Check.NO_NEED_TO_PROMPT;
}, ({ oidc }) => ({ missingResourceScopes: oidc[missingResourceScopes] })), new Check("rar_prompt", "authorization_details were requested", (ctx) => {
	const { oidc } = ctx;
	if (oidc.params.authorization_details && !oidc.result?.consent) return Check.REQUEST_PROMPT;
	return Check.NO_NEED_TO_PROMPT;
}, ({ oidc }) => ({ rar: JSON.parse(oidc.params.authorization_details) })));

// node_modules/oidc-provider/lib/helpers/interaction_policy/index.js
const base = () => {
	const DEFAULT = [];
	DEFAULT.get = function getPrompt(name) {
		if (typeof name !== "string") throw new TypeError("name must be a string");
		return this.find((p) => p.name === name);
	};
	DEFAULT.remove = function removePrompt(name) {
		if (typeof name !== "string") throw new TypeError("name must be a string");
		const i = this.findIndex((p) => p.name === name);
		if (i !== -1) this.splice(i, 1);
	};
	DEFAULT.clear = function clearAll() {
		while (this.length) this.splice(0, 1);
	};
	DEFAULT.add = function addPrompt(prompt, i = this.length) {
		if (!(prompt instanceof Prompt)) throw new TypeError("argument must be an instance of Prompt");
		this.splice(i, 0, prompt);
	};
	DEFAULT.add(login_default());
	DEFAULT.add(consent_default());
	return DEFAULT;
};

// node_modules/oidc-provider/lib/helpers/nanoid.js
const urlAlphabet = "useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict";
const POOL_SIZE = 4096;
function customAlphabet(alphabet, defaultSize) {
	const { length } = alphabet;
	for (let i = 0; i < length; i += 1) if (alphabet.charCodeAt(i) > 255) throw new TypeError("alphabet must be latin1");
	const charCodes = Uint8Array.from(alphabet, (char) => char.charCodeAt(0));
	const mask = (2 << 31 - Math.clz32(length - 1 | 1)) - 1;
	const exact = mask === length - 1;
	const pool = Buffer.allocUnsafe(POOL_SIZE);
	let offset = POOL_SIZE;
	function refill() {
		if (exact) {
			randomFillSync(pool);
			for (let i = 0; i < POOL_SIZE; i += 1) pool[i] = charCodes[pool[i] & mask];
		} else {
			const scratch = Buffer.allocUnsafe(Math.ceil(1.6 * (mask + 1) * POOL_SIZE / length));
			let accepted = 0;
			while (accepted < POOL_SIZE) {
				randomFillSync(scratch);
				for (let i = 0; i < scratch.length && accepted < POOL_SIZE; i += 1) {
					const index = scratch[i] & mask;
					if (index < length) {
						pool[accepted] = charCodes[index];
						accepted += 1;
					}
				}
			}
		}
		offset = 0;
	}
	return (size = defaultSize) => {
		size |= 0;
		if (size < 0) throw new RangeError("Wrong ID size");
		if (size === 0) return "";
		let id = "";
		let remaining = size;
		while (remaining > 0) {
			if (offset === POOL_SIZE) refill();
			const take = Math.min(remaining, POOL_SIZE - offset);
			id += pool.toString("latin1", offset, offset + take);
			offset += take;
			remaining -= take;
		}
		return id;
	};
}
var nanoid_default = customAlphabet(urlAlphabet, 43);

// node_modules/oidc-provider/lib/helpers/_/is_json_object.js
var is_json_object_default = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// node_modules/oidc-provider/lib/helpers/defaults.js
const warned$1 = /* @__PURE__ */ new Set();
function shouldChange(name, msg) {
	if (!warned$1.has(name)) {
		warned$1.add(name);
		info(`default ${name} function called, you SHOULD change it in order to ${msg}.`);
	}
}
function mustChange(name, msg) {
	if (!warned$1.has(name)) {
		warned$1.add(name);
		warn(`default ${name} function called, you MUST change it in order to ${msg}.`);
	}
}
function clientBasedCORS(ctx, origin, client) {
	shouldChange("clientBasedCORS", "control allowed CORS Origins based on the client making a CORS request");
	if (origin === "null") return false;
	if (ctx.oidc.route === "userinfo" || client.clientAuthMethod === "none") return client.redirectUris.some((uri) => URL.parse(uri)?.origin === origin);
	return false;
}
function getCertificate(ctx) {
	mustChange("features.mTLS.getCertificate", "retrieve the PEM-formatted client certificate from the request context");
	throw new Error("features.mTLS.getCertificate function not configured");
}
function certificateAuthorized(ctx) {
	mustChange("features.mTLS.certificateAuthorized", "determine if the client certificate is verified and comes from a trusted CA");
	throw new Error("features.mTLS.certificateAuthorized function not configured");
}
function certificateSubjectMatches(ctx, property, expected) {
	mustChange("features.mTLS.certificateSubjectMatches", "verify that the tls_client_auth_* registered client property value matches the certificate one");
	throw new Error("features.mTLS.certificateSubjectMatches function not configured");
}
function deviceInfo(ctx) {
	return {
		ip: ctx.ip,
		ua: ctx.get("user-agent")
	};
}
async function userCodeInputSource(ctx, form, out, err) {
	shouldChange("features.deviceFlow.userCodeInputSource", "customize the look of the user code input page");
	let msg;
	if (err && (err.userCode || err.name === "NoCodeError")) msg = "<p class=\"red\">The code you entered is incorrect. Try again</p>";
	else if (err && err.name === "AbortedError") msg = "<p class=\"red\">The Sign-in request was interrupted</p>";
	else if (err) msg = "<p class=\"red\">There was an error processing your request</p>";
	else msg = "<p>Enter the code displayed on your device</p>";
	ctx.body = `<!DOCTYPE html>
    <html>
    <head>
      <meta http-equiv="X-UA-Compatible" content="IE=edge">
      <meta charset="utf-8">
      <title>Sign-in</title>
      <meta name="viewport" content="width=device-width, initial-scale=1, shrink-to-fit=no">
      <meta http-equiv="x-ua-compatible" content="ie=edge">
      <style>
        @import url(https://fonts.googleapis.com/css?family=Roboto:400,100);h1,h1+p{font-weight:100;text-align:center}body{font-family:Roboto,sans-serif;margin-top:25px;margin-bottom:25px}.container{padding:0 40px 10px;width:274px;background-color:#F7F7F7;margin:0 auto 10px;border-radius:2px;box-shadow:0 2px 2px rgba(0,0,0,.3);overflow:hidden}h1{font-size:2.3em}p.red{color:#d50000}input[type=email],input[type=password],input[type=text]{height:44px;font-size:16px;width:100%;margin-bottom:10px;-webkit-appearance:none;background:#fff;border:1px solid #d9d9d9;border-top:1px solid silver;padding:0 8px;box-sizing:border-box;-moz-box-sizing:border-box}[type=submit]{width:100%;display:block;margin-bottom:10px;position:relative;text-align:center;font-size:14px;font-family:Arial,sans-serif;font-weight:700;height:36px;padding:0 8px;border:0;color:#fff;text-shadow:0 1px rgba(0,0,0,.1);background-color:#4d90fe;cursor:pointer}[type=submit]:hover{border:0;text-shadow:0 1px rgba(0,0,0,.3);background-color:#357ae8}input[type=text]{text-transform:uppercase;text-align: center}input[type=text]::placeholder{text-transform: none}
      </style>
    </head>
    <body>
      <div class="container">
        <h1>Sign-in</h1>
        ${msg}
        ${form}
        <button type="submit" form="op.deviceInputForm">Continue</button>
      </div>
    </body>
    </html>`;
}
function requireNonce(ctx) {
	return false;
}
async function getAttestationSignaturePublicKey(ctx, header, payload, client) {
	mustChange("features.attestClientAuth.getAttestationSignaturePublicKey", "be able to verify the Client Attestation JWT signature");
	throw new Error("features.attestClientAuth.getAttestationSignaturePublicKey not implemented");
}
async function assertAttestationJwtAndPop(ctx, attestation, pop, client) {}
async function userCodeConfirmSource(ctx, form, client, deviceInfo, userCode) {
	shouldChange("features.deviceFlow.userCodeConfirmSource", "customize the look of the user code confirmation page");
	ctx.body = `<!DOCTYPE html>
    <html>
    <head>
      <meta http-equiv="X-UA-Compatible" content="IE=edge">
      <meta charset="utf-8">
      <title>Device Login Confirmation</title>
      <meta name="viewport" content="width=device-width, initial-scale=1, shrink-to-fit=no">
      <style>
        @import url(https://fonts.googleapis.com/css?family=Roboto:400,100);.help,h1,h1+p{text-align:center}h1,h1+p{font-weight:100}body{font-family:Roboto,sans-serif;margin-top:25px;margin-bottom:25px}.container{padding:0 40px 10px;width:274px;background-color:#f7f7f7;margin:0 auto 10px;border-radius:2px;box-shadow:0 2px 2px rgba(0,0,0,.3);overflow:hidden}h1{font-size:2.3em}button[autofocus]{width:100%;display:block;margin-bottom:10px;position:relative;font-size:14px;font-family:Arial,sans-serif;font-weight:700;height:36px;padding:0 8px;border:0;color:#fff;text-shadow:0 1px rgba(0,0,0,.1);background-color:#4d90fe;cursor:pointer}button[autofocus]:hover{border:0;text-shadow:0 1px rgba(0,0,0,.3);background-color:#357ae8}button[name=abort]{background:0 0!important;border:none;padding:0!important;font:inherit;cursor:pointer}a,button[name=abort]{text-decoration:none;color:#666;font-weight:400;display:inline-block;opacity:.6}.help{width:100%;font-size:12px}code{font-size:2em}
      </style>
    </head>
    <body>
      <div class="container">
        <h1>Confirm Device</h1>
        <p>
          <strong>${htmlSafe(ctx.oidc.client.clientName || ctx.oidc.client.clientId)}</strong>
          <br/><br/>
          The following code should be displayed on your device<br/><br/>
          <code>${userCode}</code>
          <br/><br/>
          <small>If you did not initiate this action, the code does not match or are unaware of such device in your possession please close this window or click abort.</small>
        </p>
        ${form}
        <button autofocus type="submit" form="op.deviceConfirmForm">Continue</button>
        <div class="help">
          <button type="submit" form="op.deviceConfirmForm" value="yes" name="abort">[ Abort ]</button>
        </div>
      </div>
    </body>
    </html>`;
}
async function successSource(ctx) {
	shouldChange("features.deviceFlow.successSource", "customize the look of the device code success page");
	ctx.body = `<!DOCTYPE html>
    <html>
    <head>
      <meta http-equiv="X-UA-Compatible" content="IE=edge">
      <meta charset="utf-8">
      <title>Sign-in Success</title>
      <meta name="viewport" content="width=device-width, initial-scale=1, shrink-to-fit=no">
      <style>
        @import url(https://fonts.googleapis.com/css?family=Roboto:400,100);h1,h1+p{font-weight:100;text-align:center}body{font-family:Roboto,sans-serif;margin-top:25px;margin-bottom:25px}.container{padding:0 40px 10px;width:274px;background-color:#F7F7F7;margin:0 auto 10px;border-radius:2px;box-shadow:0 2px 2px rgba(0,0,0,.3);overflow:hidden}h1{font-size:2.3em}
      </style>
    </head>
    <body>
      <div class="container">
        <h1>Sign-in Success</h1>
        <p>Your sign-in ${ctx.oidc.client.clientName ? `with ${htmlSafe(ctx.oidc.client.clientName)}` : ""} was successful, you can now close this page.</p>
      </div>
    </body>
    </html>`;
}
async function introspectionAllowedPolicy(ctx, client, token) {
	shouldChange("features.introspection.allowedPolicy", "to check whether the caller is authorized to receive the introspection response");
	if (client.clientAuthMethod === "none" && token.clientId !== ctx.oidc.client.clientId) return false;
	return true;
}
async function revocationAllowedPolicy(ctx, client, token) {
	shouldChange("features.revocation.allowedPolicy", "to check whether the caller is authorized to revoke the token");
	if (token.clientId !== client.clientId) {
		if (client.clientAuthMethod === "none") return false;
		throw new InvalidRequest("client is not authorized to revoke the presented token");
	}
	return true;
}
function openid4vciCredentialConfigurationPolicy(ctx, { credentialConfigurationId, credentialConfiguration, credentialIdentifier, client, account, grant, accessToken }) {
	return true;
}
function openid4vciCredentialEndpointExpectedAudience(ctx) {
	return ctx.oidc.urlFor("credential");
}
async function openid4vciGetKeyAttestationSignaturePublicKey(ctx, iss, header, client) {
	mustChange("features.openid4vci.getKeyAttestationSignaturePublicKey", "be able to verify the Key Attestation JWT signature");
	throw new Error("features.openid4vci.getKeyAttestationSignaturePublicKey not implemented");
}
async function openid4vciIssueCredential(ctx, { credentialConfigurationId, credentialConfiguration, credentialIdentifier, body, proofs, client, account, grant, accessToken }) {
	mustChange("features.openid4vci.issueCredential", "issue and return one or more credentials for a validated credential request");
	throw new Error("features.openid4vci.issueCredential not implemented");
}
function idFactory(ctx) {
	return nanoid_default();
}
async function secretFactory(ctx) {
	return crypto$1.randomBytes(64).toString("base64url");
}
async function defaultResource(_ctx, _client, oneOf) {
	if (oneOf) return oneOf;
}
async function useGrantedResource(_ctx, _source) {
	return false;
}
async function getResourceServerInfo(ctx, resourceIndicator, client) {
	mustChange("features.resourceIndicators.getResourceServerInfo", "to provide details about the Resource Server identified by the Resource Indicator");
	throw new InvalidTarget();
}
async function extraTokenClaims$1(ctx, token) {}
async function expiresWithSession(_ctx, source) {
	return !source.scopes.has("offline_access");
}
async function issueRefreshToken(_ctx, client, source) {
	return client.grantTypeAllowed("refresh_token") && source.scopes.has("offline_access");
}
function pkceRequired(ctx, client) {
	if (client.clientAuthMethod === "none") return true;
	const fapiProfile = ctx.oidc.isFapi("2.0", "1.0 Final");
	if (fapiProfile === "2.0") return true;
	if (fapiProfile === "1.0 Final" && ctx.oidc.route === "pushed_authorization_request") return true;
	return false;
}
async function pairwiseIdentifier(ctx, accountId, client) {
	mustChange("pairwiseIdentifier", "provide an implementation for pairwise identifiers");
	throw new Error("pairwiseIdentifier not implemented");
}
function AccessTokenTTL(ctx, token, client) {
	shouldChange("ttl.AccessToken", "define the expiration for AccessToken artifacts");
	return token.resourceServer?.accessTokenTTL || 3600;
}
function AuthorizationCodeTTL(ctx, code, client) {
	return 60;
}
function ClientCredentialsTTL(ctx, token, client) {
	shouldChange("ttl.ClientCredentials", "define the expiration for ClientCredentials artifacts");
	return token.resourceServer?.accessTokenTTL || 600;
}
function DeviceCodeTTL(ctx, deviceCode, client) {
	shouldChange("ttl.DeviceCode", "define the expiration for DeviceCode artifacts");
	return 600;
}
function BackchannelAuthenticationRequestTTL(ctx, request, client) {
	shouldChange("ttl.BackchannelAuthenticationRequest", "define the expiration for BackchannelAuthenticationRequest artifacts");
	if (ctx?.oidc?.params.requested_expiry) return Math.min(600, +ctx.oidc.params.requested_expiry);
	return 600;
}
function PreAuthorizedCodeTTL(ctx, code) {
	shouldChange("ttl.PreAuthorizedCode", "define the expiration for PreAuthorizedCode artifacts");
	return 600;
}
function IdTokenTTL(ctx, token, client) {
	shouldChange("ttl.IdToken", "define the expiration for IdToken artifacts");
	return 3600;
}
function RefreshTokenTTL(ctx, token, client) {
	shouldChange("ttl.RefreshToken", "define the expiration for RefreshToken artifacts");
	if (ctx?.oidc?.entities.RotatedRefreshToken && client.applicationType === "web" && client.clientAuthMethod === "none" && !token.isSenderConstrained()) return ctx.oidc.entities.RotatedRefreshToken.remainingTTL;
	return 1209600;
}
function InteractionTTL(ctx, interaction) {
	shouldChange("ttl.Interaction", "define the expiration for Interaction artifacts");
	return 3600;
}
function SessionTTL(ctx, session) {
	shouldChange("ttl.Session", "define the expiration for Session artifacts");
	return 1209600;
}
function GrantTTL(ctx, grant) {
	shouldChange("ttl.Grant", "define the expiration for Grant artifacts");
	return 1209600;
}
function extraClientMetadataValidator(ctx, key, value, metadata) {}
async function postLogoutSuccessSource(ctx) {
	shouldChange("features.rpInitiatedLogout.postLogoutSuccessSource", "customize the look of the default post logout success page");
	const display = ctx.oidc.client?.clientName || ctx.oidc.client?.clientId;
	ctx.body = `<!DOCTYPE html>
    <html>
    <head>
      <meta http-equiv="X-UA-Compatible" content="IE=edge">
      <meta charset="utf-8">
      <title>Sign-out Success</title>
      <meta name="viewport" content="width=device-width, initial-scale=1, shrink-to-fit=no">
      <style>
        @import url(https://fonts.googleapis.com/css?family=Roboto:400,100);h1,h1+p{font-weight:100;text-align:center}body{font-family:Roboto,sans-serif;margin-top:25px;margin-bottom:25px}.container{padding:0 40px 10px;width:274px;background-color:#F7F7F7;margin:0 auto 10px;border-radius:2px;box-shadow:0 2px 2px rgba(0,0,0,.3);overflow:hidden}h1{font-size:2.3em}
      </style>
    </head>
    <body>
      <div class="container">
        <h1>Sign-out Success</h1>
        <p>Your sign-out ${display ? `with ${htmlSafe(display)}` : ""} was successful.</p>
      </div>
    </body>
    </html>`;
}
async function logoutSource(ctx, form) {
	shouldChange("features.rpInitiatedLogout.logoutSource", "customize the look of the logout page");
	ctx.body = `<!DOCTYPE html>
    <html>
    <head>
      <meta http-equiv="X-UA-Compatible" content="IE=edge">
      <meta charset="utf-8">
      <title>Logout Request</title>
      <meta name="viewport" content="width=device-width, initial-scale=1, shrink-to-fit=no">
      <style>
        @import url(https://fonts.googleapis.com/css?family=Roboto:400,100);button,h1{text-align:center}h1{font-weight:100;font-size:1.3em}body{font-family:Roboto,sans-serif;margin-top:25px;margin-bottom:25px}.container{padding:0 40px 10px;width:274px;background-color:#F7F7F7;margin:0 auto 10px;border-radius:2px;box-shadow:0 2px 2px rgba(0,0,0,.3);overflow:hidden}button{font-size:14px;font-family:Arial,sans-serif;font-weight:700;height:36px;padding:0 8px;width:100%;display:block;margin-bottom:10px;position:relative;border:0;color:#fff;text-shadow:0 1px rgba(0,0,0,.1);background-color:#4d90fe;cursor:pointer}button:hover{border:0;text-shadow:0 1px rgba(0,0,0,.3);background-color:#357ae8}
      </style>
    </head>
    <body>
      <div class="container">
        <h1>Do you want to sign-out from ${htmlSafe(ctx.host)}?</h1>
        ${form}
        <button autofocus type="submit" form="op.logoutForm" value="yes" name="logout">Yes, sign me out</button>
        <button type="submit" form="op.logoutForm">No, stay signed in</button>
      </div>
    </body>
    </html>`;
}
async function renderError(ctx, out, error) {
	shouldChange("renderError", "customize the look of the error page");
	ctx.type = "html";
	ctx.body = `<!DOCTYPE html>
    <html>
    <head>
      <meta http-equiv="X-UA-Compatible" content="IE=edge">
      <meta charset="utf-8">
      <title>oops! something went wrong</title>
      <meta name="viewport" content="width=device-width, initial-scale=1, shrink-to-fit=no">
      <style>
        @import url(https://fonts.googleapis.com/css?family=Roboto:400,100);h1{font-weight:100;text-align:center;font-size:2.3em}body{font-family:Roboto,sans-serif;margin-top:25px;margin-bottom:25px}.container{padding:0 40px 10px;width:274px;background-color:#F7F7F7;margin:0 auto 10px;border-radius:2px;box-shadow:0 2px 2px rgba(0,0,0,.3);overflow:hidden}pre{white-space:pre-wrap;white-space:-moz-pre-wrap;white-space:-pre-wrap;white-space:-o-pre-wrap;word-wrap:break-word;margin:0 0 0 1em;text-indent:-1em}
      </style>
    </head>
    <body>
      <div class="container">
        <h1>oops! something went wrong</h1>
        ${Object.entries(out).map(([key, value]) => `<pre><strong>${key}</strong>: ${htmlSafe(value)}</pre>`).join("")}
      </div>
    </body>
    </html>`;
}
async function interactionsUrl(ctx, interaction) {
	return `/interaction/${interaction.uid}`;
}
async function findAccount$1(ctx, sub, token) {
	mustChange("findAccount", "use your own account model");
	return {
		accountId: sub,
		async claims(use, scope, claims, rejected) {
			return { sub };
		}
	};
}
function rotateRefreshToken(ctx) {
	const { RefreshToken: refreshToken, Client: client } = ctx.oidc.entities;
	if (refreshToken.totalLifetime() >= 31557600) return false;
	if (client.clientAuthMethod === "none" && !refreshToken.isSenderConstrained()) return true;
	return refreshToken.ttlPercentagePassed() >= 70;
}
async function loadExistingGrant(ctx) {
	const grantId = ctx.oidc.result?.consent?.grantId || ctx.oidc.session.grantIdFor(ctx.oidc.client.clientId);
	if (grantId) return ctx.oidc.provider.Grant.find(grantId);
}
function revokeGrantPolicy(ctx) {
	if (ctx.oidc.route === "revocation" && ctx.oidc.entities.AccessToken) return false;
	return true;
}
function sectorIdentifierUriValidate(client) {
	return true;
}
async function processLoginHintToken(ctx, loginHintToken) {
	mustChange("features.ciba.processLoginHintToken", "process the login_hint_token parameter and return the accountId value to use for processing the request");
	throw new Error("features.ciba.processLoginHintToken not implemented");
}
async function processLoginHint(ctx, loginHint) {
	mustChange("features.ciba.processLoginHint", "process the login_hint parameter and return the accountId value to use for processing the request");
	throw new Error("features.ciba.processLoginHint not implemented");
}
async function verifyUserCode(ctx, account, userCode) {
	mustChange("features.ciba.verifyUserCode", "verify the user_code parameter is present when required and verify its value");
	throw new Error("features.ciba.verifyUserCode not implemented");
}
async function validateBindingMessage(ctx, bindingMessage) {
	shouldChange("features.ciba.validateBindingMessage", "verify the binding_message parameter is present when required and verify its value");
	if (bindingMessage?.match(/^[a-zA-Z0-9-._+/!?#]{1,20}$/) === null) throw new InvalidBindingMessage("the binding_message value, when provided, needs to be 1 - 20 characters in length and use only a basic set of characters (matching the regex: ^[a-zA-Z0-9-._+/!?#]{1,20}$ )");
}
async function validateRequestContext(ctx, requestContext) {
	mustChange("features.ciba.validateRequestContext", "verify the request_context parameter is present when required and verify its value");
	throw new Error("features.ciba.validateRequestContext not implemented");
}
async function triggerAuthenticationDevice(ctx, request, account, client) {
	mustChange("features.ciba.triggerAuthenticationDevice", "to trigger the authentication and authorization process on end-user's Authentication Device");
	throw new Error("features.ciba.triggerAuthenticationDevice not implemented");
}
async function assertClaimsParameter(ctx, claims, client) {
	for (const container of ["userinfo", "id_token"]) if (claims[container] !== void 0) {
		for (const value of Object.values(claims[container])) if (value !== null && !is_json_object_default(value)) throw new InvalidRequest(`claims.${container} members must be null or objects`);
	}
}
async function assertJwtClientAuthClaimsAndHeader(ctx, claims, _header, _client) {
	if (ctx.oidc.isFapi("2.0") && claims.aud !== ctx.oidc.issuer) throw new InvalidClientAuth("audience (aud) must equal the issuer identifier url");
}
async function assertJwtClaimsAndHeader(ctx, claims, header, client) {
	const requiredClaims = [];
	const fapiProfile = ctx.oidc.isFapi("1.0 Final", "2.0");
	if (fapiProfile) requiredClaims.push("exp", "aud", "nbf");
	if (ctx.oidc.route === "backchannel_authentication") requiredClaims.push("exp", "iat", "nbf", "jti");
	for (const claim of new Set(requiredClaims)) if (claims[claim] === void 0) throw new InvalidRequestObject(`Request Object is missing the '${claim}' claim`);
	if (fapiProfile) {
		const diff = claims.exp - claims.nbf;
		if (Math.sign(diff) !== 1 || diff > 3600) throw new InvalidRequestObject("Request Object 'exp' claim too far from 'nbf' claim");
	}
}
function makeDefaults() {
	return {
		acrValues: [],
		adapter: void 0,
		claims: {
			acr: null,
			sid: null,
			auth_time: null,
			iss: null,
			openid: ["sub"]
		},
		clientBasedCORS,
		clients: [],
		clientDefaults: {
			grant_types: ["authorization_code"],
			id_token_signed_response_alg: "RS256",
			response_types: ["code"],
			token_endpoint_auth_method: "client_secret_basic"
		},
		clockTolerance: 15,
		conformIdTokenClaims: true,
		loadExistingGrant,
		allowOmittingSingleRegisteredRedirectUri: true,
		acceptQueryParamAccessTokens: false,
		cookies: {
			names: {
				session: "_session",
				interaction: "_interaction",
				resume: "_interaction_resume"
			},
			long: {
				httpOnly: true,
				sameSite: "lax"
			},
			short: {
				httpOnly: true,
				sameSite: "lax"
			},
			keys: []
		},
		discovery: {
			claim_types_supported: ["normal"],
			claims_locales_supported: void 0,
			display_values_supported: void 0,
			op_policy_uri: void 0,
			op_tos_uri: void 0,
			service_documentation: void 0,
			ui_locales_supported: void 0
		},
		extraParams: [],
		features: {
			devInteractions: { enabled: true },
			dPoP: {
				enabled: true,
				nonceSecret: void 0,
				requireNonce,
				allowReplay: false
			},
			backchannelLogout: { enabled: false },
			ciba: {
				enabled: false,
				deliveryModes: ["poll"],
				triggerAuthenticationDevice,
				validateBindingMessage,
				validateRequestContext,
				processLoginHintToken,
				processLoginHint,
				verifyUserCode
			},
			mTLS: {
				enabled: false,
				certificateBoundAccessTokens: false,
				selfSignedTlsClientAuth: false,
				tlsClientAuth: false,
				getCertificate,
				certificateAuthorized,
				certificateSubjectMatches
			},
			attestClientAuth: {
				ack: void 0,
				enabled: false,
				additionalSecuritySignal: false,
				challengeSecret: void 0,
				getAttestationSignaturePublicKey,
				assertAttestationJwtAndPop
			},
			clientIdMetadataDocument: {
				ack: void 0,
				enabled: false,
				async allowFetch(ctx, clientId) {
					return true;
				},
				async allowClient(ctx, client) {
					return true;
				},
				cacheDuration: {
					min: 30,
					max: 86400
				}
			},
			claimsParameter: {
				enabled: false,
				assertClaimsParameter
			},
			clientCredentials: { enabled: false },
			deviceFlow: {
				enabled: false,
				charset: "base-20",
				mask: "****-****",
				deviceInfo,
				userCodeInputSource,
				userCodeConfirmSource,
				successSource
			},
			encryption: { enabled: false },
			fapi: {
				enabled: false,
				profile: void 0
			},
			rpInitiatedLogout: {
				enabled: true,
				postLogoutSuccessSource,
				logoutSource
			},
			introspection: {
				enabled: false,
				allowedPolicy: introspectionAllowedPolicy
			},
			jwtIntrospection: { enabled: false },
			jwtResponseModes: { enabled: false },
			pushedAuthorizationRequests: {
				enabled: true,
				requirePushedAuthorizationRequests: false,
				allowUnregisteredRedirectUris: false
			},
			registration: {
				enabled: false,
				initialAccessToken: false,
				policies: void 0,
				idFactory,
				secretFactory,
				issueRegistrationAccessToken: true
			},
			registrationManagement: {
				enabled: false,
				rotateRegistrationAccessToken: true
			},
			richAuthorizationRequests: {
				enabled: false,
				types: {},
				authorizationDetailsForGrantSource(ctx, source) {
					mustChange("features.richAuthorizationRequests.authorizationDetailsForGrantSource", "apply authorization server policy to RAR details stored in grant sources");
					throw new Error("features.richAuthorizationRequests.authorizationDetailsForGrantSource not implemented");
				},
				authorizationDetailsForAccessToken(ctx, token, source, grantType) {
					mustChange("features.richAuthorizationRequests.authorizationDetailsForAccessToken", "apply authorization server policy to RAR details assigned to access tokens");
					throw new Error("features.richAuthorizationRequests.authorizationDetailsForAccessToken not implemented");
				},
				authorizationDetailsForIntrospection(ctx, token) {
					mustChange("features.richAuthorizationRequests.authorizationDetailsForIntrospection", "apply authorization server policy to RAR details returned from introspection");
					throw new Error("features.richAuthorizationRequests.authorizationDetailsForIntrospection not implemented");
				}
			},
			resourceIndicators: {
				enabled: true,
				defaultResource,
				useGrantedResource,
				getResourceServerInfo
			},
			requestObjects: {
				enabled: false,
				requireSignedRequestObject: false,
				assertJwtClaimsAndHeader
			},
			rpMetadataChoices: { enabled: false },
			revocation: {
				enabled: false,
				allowedPolicy: revocationAllowedPolicy
			},
			userinfo: { enabled: true },
			jwtUserinfo: { enabled: false },
			webMessageResponseMode: {
				enabled: false,
				ack: void 0
			},
			externalSigningSupport: {
				enabled: false,
				ack: void 0
			},
			openid4vci: {
				enabled: false,
				ack: void 0,
				nonceSecret: void 0,
				preAuthorizedCodeGrant: false,
				metadata: {},
				credentialConfigurationsSupported: {},
				credentialEndpointExpectedAudience: openid4vciCredentialEndpointExpectedAudience,
				credentialConfigurationPolicy: openid4vciCredentialConfigurationPolicy,
				issueCredential: openid4vciIssueCredential,
				getKeyAttestationSignaturePublicKey: openid4vciGetKeyAttestationSignaturePublicKey
			}
		},
		extraTokenClaims: extraTokenClaims$1,
		formats: {
			bitsOfOpaqueRandomness: 256,
			customizers: { jwt: void 0 }
		},
		expiresWithSession,
		issueRefreshToken,
		jwks: void 0,
		responseTypes: [
			"code id_token",
			"code",
			"id_token",
			"none"
		],
		pkce: { required: pkceRequired },
		routes: {
			authorization: "/auth",
			backchannel_authentication: "/backchannel",
			code_verification: "/device",
			challenge: "/challenge",
			device_authorization: "/device/auth",
			end_session: "/session/end",
			introspection: "/token/introspection",
			jwks: "/jwks",
			pushed_authorization_request: "/request",
			registration: "/reg",
			revocation: "/token/revocation",
			token: "/token",
			userinfo: "/me",
			credential: "/credential"
		},
		scopes: ["openid", "offline_access"],
		subjectTypes: ["public"],
		pairwiseIdentifier,
		clientAuthMethods: [
			"client_secret_basic",
			"client_secret_jwt",
			"client_secret_post",
			"private_key_jwt",
			"none"
		],
		ttl: {
			AccessToken: AccessTokenTTL,
			AuthorizationCode: AuthorizationCodeTTL,
			BackchannelAuthenticationRequest: BackchannelAuthenticationRequestTTL,
			ClientCredentials: ClientCredentialsTTL,
			DeviceCode: DeviceCodeTTL,
			Grant: GrantTTL,
			IdToken: IdTokenTTL,
			Interaction: InteractionTTL,
			PreAuthorizedCode: PreAuthorizedCodeTTL,
			RefreshToken: RefreshTokenTTL,
			Session: SessionTTL
		},
		extraClientMetadata: {
			properties: [],
			validator: extraClientMetadataValidator
		},
		renderError,
		revokeGrantPolicy,
		sectorIdentifierUriValidate,
		interactions: {
			policy: base(),
			url: interactionsUrl
		},
		findAccount: findAccount$1,
		rotateRefreshToken,
		enabledJWA: {
			clientAuthSigningAlgValues: [
				"HS256",
				"RS256",
				"PS256",
				"ES256",
				"Ed25519",
				"EdDSA"
			],
			idTokenSigningAlgValues: [
				"RS256",
				"PS256",
				"ES256",
				"Ed25519",
				"EdDSA"
			],
			requestObjectSigningAlgValues: [
				"HS256",
				"RS256",
				"PS256",
				"ES256",
				"Ed25519",
				"EdDSA"
			],
			userinfoSigningAlgValues: [
				"RS256",
				"PS256",
				"ES256",
				"Ed25519",
				"EdDSA"
			],
			introspectionSigningAlgValues: [
				"RS256",
				"PS256",
				"ES256",
				"Ed25519",
				"EdDSA"
			],
			authorizationSigningAlgValues: [
				"RS256",
				"PS256",
				"ES256",
				"Ed25519",
				"EdDSA"
			],
			idTokenEncryptionAlgValues: [
				"A128KW",
				"A256KW",
				"ECDH-ES",
				"RSA-OAEP",
				"RSA-OAEP-256",
				"dir"
			],
			requestObjectEncryptionAlgValues: [
				"A128KW",
				"A256KW",
				"ECDH-ES",
				"RSA-OAEP",
				"RSA-OAEP-256",
				"dir"
			],
			userinfoEncryptionAlgValues: [
				"A128KW",
				"A256KW",
				"ECDH-ES",
				"RSA-OAEP",
				"RSA-OAEP-256",
				"dir"
			],
			introspectionEncryptionAlgValues: [
				"A128KW",
				"A256KW",
				"ECDH-ES",
				"RSA-OAEP",
				"RSA-OAEP-256",
				"dir"
			],
			authorizationEncryptionAlgValues: [
				"A128KW",
				"A256KW",
				"ECDH-ES",
				"RSA-OAEP",
				"RSA-OAEP-256",
				"dir"
			],
			idTokenEncryptionEncValues: [
				"A128CBC-HS256",
				"A128GCM",
				"A256CBC-HS512",
				"A256GCM"
			],
			requestObjectEncryptionEncValues: [
				"A128CBC-HS256",
				"A128GCM",
				"A256CBC-HS512",
				"A256GCM"
			],
			userinfoEncryptionEncValues: [
				"A128CBC-HS256",
				"A128GCM",
				"A256CBC-HS512",
				"A256GCM"
			],
			introspectionEncryptionEncValues: [
				"A128CBC-HS256",
				"A128GCM",
				"A256CBC-HS512",
				"A256GCM"
			],
			authorizationEncryptionEncValues: [
				"A128CBC-HS256",
				"A128GCM",
				"A256CBC-HS512",
				"A256GCM"
			],
			dPoPSigningAlgValues: [
				"ES256",
				"Ed25519",
				"EdDSA"
			],
			attestSigningAlgValues: [
				"ES256",
				"Ed25519",
				"EdDSA"
			]
		},
		assertJwtClientAuthClaimsAndHeader,
		fetch: (url, options) => globalThis.fetch(url, options),
		fetchResponseBodyLimits: {
			"client_id metadata document": 5120,
			jwks_uri: Infinity,
			sector_identifier_uri: Infinity
		},
		enableHttpPostMethods: false
	};
}
const defaults$1 = makeDefaults();

// node_modules/oidc-provider/lib/helpers/features.js
const STABLE = /* @__PURE__ */ new Set([
	"backchannelLogout",
	"ciba",
	"claimsParameter",
	"clientCredentials",
	"deviceFlow",
	"devInteractions",
	"dPoP",
	"encryption",
	"fapi",
	"introspection",
	"jwtResponseModes",
	"jwtIntrospection",
	"jwtUserinfo",
	"mTLS",
	"pushedAuthorizationRequests",
	"registration",
	"registrationManagement",
	"requestObjects",
	"resourceIndicators",
	"richAuthorizationRequests",
	"revocation",
	"rpInitiatedLogout",
	"rpMetadataChoices",
	"userinfo"
]);
const EXPERIMENTS = new Map(Object.entries({
	openid4vci: {
		name: "OpenID for Verifiable Credential Issuance 1.0",
		version: ["experimental-01"]
	},
	webMessageResponseMode: {
		name: "OAuth 2.0 Web Message Response Mode - draft 01",
		version: ["individual-draft-01"]
	},
	externalSigningSupport: {
		name: "External Signing Key Support",
		version: ["experimental-01"]
	},
	attestClientAuth: {
		name: "OAuth 2.0 Attestation-Based Client Authentication",
		version: "draft-12"
	},
	clientIdMetadataDocument: {
		name: "OAuth Client ID Metadata Document",
		version: "draft-02"
	}
}));

// node_modules/oidc-provider/lib/helpers/formatters.js
const conjunction = new Intl.ListFormat("en", { type: "conjunction" });
const disjunction = new Intl.ListFormat("en", { type: "disjunction" });
const formatter = { format(iterable, { type }) {
	if (type === "conjunction") return conjunction.format(iterable);
	return disjunction.format(iterable);
} };
function formatList(list, { type = "conjunction" } = {}) {
	return formatter.format(list.map((w) => `'${w}'`), { type });
}
function pluralize(word, count) {
	if (count === 1) return word;
	return `${word}s`;
}

// node_modules/oidc-provider/lib/helpers/configuration.js
function featuresTypeErrorCheck({ features }) {
	for (const value of Object.values(features)) if (typeof value === "boolean") throw new TypeError("Features are not enabled/disabled with a boolean value. See the documentation for more details.");
}
const requiredFeatureMembers = {
	attestClientAuth: ["additionalSecuritySignal"],
	ciba: ["deliveryModes"]
};
const requiredEnabledFeatureMembers = {
	deviceFlow: [
		"enabled",
		"charset",
		"mask"
	],
	fapi: ["enabled", "profile"],
	openid4vci: [
		"enabled",
		"metadata",
		"preAuthorizedCodeGrant",
		"credentialConfigurationsSupported",
		"credentialConfigurationPolicy",
		"issueCredential"
	],
	richAuthorizationRequests: ["enabled", "types"]
};
function checkFeatureConfigurationOwnProperties({ features }) {
	const featureNames = [...Object.keys(requiredFeatureMembers), ...Object.keys(requiredEnabledFeatureMembers)];
	if (features && !is_plain_object_default(features) && ["object", "function"].includes(typeof features)) {
		for (const name of featureNames) if (!Object.hasOwn(features, name)) throw new TypeError(`features.${name} must be an own property`);
	}
	for (const [name, members] of Object.entries(requiredFeatureMembers)) {
		const feature = features?.[name];
		if (feature && !is_plain_object_default(feature) && ["object", "function"].includes(typeof feature)) {
			for (const member of members) if (!Object.hasOwn(feature, member)) throw new TypeError(`features.${name}.${member} must be an own property`);
		}
	}
	for (const [name, members] of Object.entries(requiredEnabledFeatureMembers)) {
		const feature = features?.[name];
		if (feature && !is_plain_object_default(feature) && ["object", "function"].includes(typeof feature)) {
			if (!Object.hasOwn(feature, "enabled")) throw new TypeError(`features.${name}.enabled must be an own property`);
			if (feature.enabled) {
				for (const member of members) if (!Object.hasOwn(feature, member)) throw new TypeError(`features.${name}.${member} must be an own property`);
			}
		}
	}
}
function checkKeyAttestationsRequired(proofTypeConfig, prefix) {
	if (proofTypeConfig === void 0) return;
	if (proofTypeConfig === null) throw new TypeError(`${prefix} must be an object`);
	const { key_attestations_required: keyAttestationsRequired } = proofTypeConfig;
	if (keyAttestationsRequired !== void 0) {
		if (!is_plain_object_default(keyAttestationsRequired)) throw new TypeError(`${prefix}.key_attestations_required must be a plain object`);
		for (const claim of ["key_storage", "user_authentication"]) {
			const values = keyAttestationsRequired[claim];
			if (values !== void 0) {
				if (!Array.isArray(values) || values.length === 0 || !values.every((v) => typeof v === "string" && v.length > 0)) throw new TypeError(`${prefix}.key_attestations_required.${claim} must be a non-empty array of non-empty strings`);
			}
		}
	}
}
function filterHS(alg) {
	return alg.startsWith("HS");
}
function filterAsymmetricSig(alg) {
	switch (alg.slice(0, 2)) {
		case "ML":
		case "RS":
		case "PS":
		case "ES":
		case "EC":
		case "Ed":
		case "X2":
		case "X4": return true;
		default: return false;
	}
}
const supportedResponseTypes = /* @__PURE__ */ new Set([
	"none",
	"code",
	"id_token",
	"token"
]);
const fapiProfiles = /* @__PURE__ */ new Set(["1.0 Final", "2.0"]);
function cloneConfiguration(value) {
	if (Array.isArray(value)) return value.map(cloneConfiguration);
	if (value instanceof Set) return new Set([...value].map(cloneConfiguration));
	if (is_plain_object_default(value)) return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, cloneConfiguration(entry)]));
	return value;
}
function validateOpenid4vciClaims(claims) {
	if (!Array.isArray(claims) || claims.length === 0) throw new InvalidAuthorizationDetails("'claims' must be a non-empty array when provided");
	for (const claim of claims) {
		if (!is_plain_object_default(claim)) throw new InvalidAuthorizationDetails("claims description entries must be JSON objects");
		if (!Array.isArray(claim.path) || claim.path.length === 0) throw new InvalidAuthorizationDetails("claims description path must be a non-empty array");
		for (const component of claim.path) if (!(typeof component === "string" && component.length || component === null || Number.isInteger(component) && component >= 0)) throw new InvalidAuthorizationDetails("claims description path entries must be non-empty strings, null, or non-negative integers");
		if ("mandatory" in claim && typeof claim.mandatory !== "boolean") throw new InvalidAuthorizationDetails("claims description mandatory must be a boolean when provided");
	}
}
var Configuration = class {
	#defaults = makeDefaults();
	constructor(config) {
		const recognizedFeatures = { ...this.#defaults.features };
		const recognizedRichAuthorizationRequestOptions = new Set(Object.keys(this.#defaults.features.richAuthorizationRequests));
		const input = cloneConfiguration(pick_default(config, ...Object.keys(this.#defaults)));
		Object.assign(this, merge({}, this.#defaults, input));
		checkFeatureConfigurationOwnProperties(this);
		featuresTypeErrorCheck(this);
		this.logDraftNotice(recognizedFeatures);
		this.registerExtraParamsValidations();
		this.ensureSets();
		this.checkResponseTypes();
		this.checkAllowedJWA();
		this.checkFapiProfile();
		this.collectScopes();
		this.collectPrompts();
		this.unpackArrayClaims();
		this.ensureOpenIdSub();
		this.removeAcrIfEmpty();
		this.collectClaims();
		this.defaultSigAlg();
		this.collectGrantTypes();
		this.checkSubjectTypes();
		this.checkDependantFeatures();
		this.checkDeviceFlow();
		this.checkAttestClientAuth();
		this.checkAuthMethods();
		this.checkTTL();
		this.checkCibaDeliveryModes();
		this.checkRichAuthorizationRequests(recognizedRichAuthorizationRequestOptions);
		this.checkOpenid4vci();
		this.checkPostMethods();
		this.checkFetchResponseBodyLimits();
		delete this.cookies.long.maxAge;
		delete this.cookies.long.expires;
		delete this.cookies.short.maxAge;
		delete this.cookies.short.expires;
		this.#defaults = void 0;
	}
	checkRichAuthorizationRequests(recognizedOptions) {
		const { richAuthorizationRequests } = this.features;
		for (const option of Object.keys(richAuthorizationRequests)) if (!recognizedOptions.has(option)) throw new TypeError(`Unknown feature configuration: richAuthorizationRequests.${option}`);
		for (const option of [
			"authorizationDetailsForGrantSource",
			"authorizationDetailsForAccessToken",
			"authorizationDetailsForIntrospection"
		]) {
			const callback = richAuthorizationRequests[option];
			if (typeof callback !== "function" || !["Function", "AsyncFunction"].includes(callback.constructor.name)) throw new TypeError(`features.richAuthorizationRequests.${option} must be a function`);
		}
		if (this.features.richAuthorizationRequests.enabled) {
			const { openid4vci } = this.features;
			if (!is_plain_object_default(richAuthorizationRequests.types)) throw new TypeError("features.richAuthorizationRequests.types must be an object");
			if (openid4vci.enabled && !Object.hasOwn(richAuthorizationRequests.types, "openid_credential")) richAuthorizationRequests.types.openid_credential = { validate(_ctx, detail) {
				if (typeof detail.credential_configuration_id !== "string" || !detail.credential_configuration_id.length) throw new InvalidAuthorizationDetails("'credential_configuration_id' must be a non-empty string");
				if (!Object.hasOwn(openid4vci.credentialConfigurationsSupported, detail.credential_configuration_id)) throw new InvalidAuthorizationDetails("'credential_configuration_id' must reference an entry in credential_configurations_supported");
				if ("claims" in detail) validateOpenid4vciClaims(detail.claims);
			} };
			for (const [k, v] of Object.entries(richAuthorizationRequests.types)) {
				if (!is_plain_object_default(v)) throw new TypeError("features.richAuthorizationRequests.types attribute values must be objects");
				if (typeof v.validate !== "function" || !["Function", "AsyncFunction"].includes(v.validate.constructor.name)) throw new TypeError(`features.richAuthorizationRequests.types['${k}'].validate must be a function`);
			}
		}
	}
	checkOpenid4vci() {
		const { openid4vci } = this.features;
		if (!openid4vci.enabled) return;
		if (!is_plain_object_default(openid4vci.metadata)) throw new TypeError("features.openid4vci.metadata must be an object");
		if (typeof openid4vci.preAuthorizedCodeGrant !== "boolean") throw new TypeError("features.openid4vci.preAuthorizedCodeGrant must be a boolean");
		const batchCredentialIssuance = openid4vci.metadata.batch_credential_issuance;
		if (batchCredentialIssuance !== void 0) {
			if (!is_plain_object_default(batchCredentialIssuance)) throw new TypeError("features.openid4vci.metadata.batch_credential_issuance must be an object");
			if (!Number.isSafeInteger(batchCredentialIssuance.batch_size) || batchCredentialIssuance.batch_size < 2) throw new TypeError("features.openid4vci.metadata.batch_credential_issuance.batch_size must be an integer greater than or equal to 2");
		}
		if (!is_plain_object_default(openid4vci.credentialConfigurationsSupported) || !Object.keys(openid4vci.credentialConfigurationsSupported).length) throw new TypeError("features.openid4vci.credentialConfigurationsSupported must be a non-empty object");
		for (const [credentialConfigurationId, credentialConfiguration] of Object.entries(openid4vci.credentialConfigurationsSupported)) {
			if (!is_plain_object_default(credentialConfiguration)) throw new TypeError(`features.openid4vci.credentialConfigurationsSupported['${credentialConfigurationId}'] must be an object`);
			const ccPrefix = `features.openid4vci.credentialConfigurationsSupported['${credentialConfigurationId}']`;
			if (typeof credentialConfiguration.format !== "string" || !credentialConfiguration.format.length) throw new TypeError(`${ccPrefix}.format must be a non-empty string`);
			const proofTypesSupported = credentialConfiguration.proof_types_supported;
			if (is_plain_object_default(proofTypesSupported)) {
				const supportedProofTypes = /* @__PURE__ */ new Set(["jwt", "attestation"]);
				const unsupportedProofTypes = Object.keys(proofTypesSupported).filter((t) => !supportedProofTypes.has(t));
				if (unsupportedProofTypes.length) throw new TypeError(`${ccPrefix}.proof_types_supported contains unsupported proof type(s): ${unsupportedProofTypes.join(", ")}`);
				if (Object.hasOwn(proofTypesSupported, "jwt")) {
					const cryptographicBindingMethodsSupported = credentialConfiguration.cryptographic_binding_methods_supported;
					if (!Array.isArray(cryptographicBindingMethodsSupported) || !cryptographicBindingMethodsSupported.includes("jwk")) throw new TypeError(`${ccPrefix}.cryptographic_binding_methods_supported must include 'jwk' when jwt proofs are supported`);
					checkKeyAttestationsRequired(proofTypesSupported.jwt, `${ccPrefix}.proof_types_supported.jwt`);
				}
				if (Object.hasOwn(proofTypesSupported, "attestation")) checkKeyAttestationsRequired(proofTypesSupported.attestation, `${ccPrefix}.proof_types_supported.attestation`);
			}
			const cryptographicBindingMethodsSupported = credentialConfiguration.cryptographic_binding_methods_supported;
			if (Array.isArray(cryptographicBindingMethodsSupported)) {
				const unsupportedMethods = cryptographicBindingMethodsSupported.filter((m) => m !== "jwk");
				if (unsupportedMethods.length) throw new TypeError(`${ccPrefix}.cryptographic_binding_methods_supported contains unsupported method(s): ${unsupportedMethods.join(", ")}`);
			}
			if (credentialConfiguration.credential_response_encryption !== void 0) throw new TypeError(`${ccPrefix}.credential_response_encryption is not supported`);
		}
		if (openid4vci.metadata.credential_response_encryption !== void 0) throw new TypeError("features.openid4vci.metadata.credential_response_encryption is not supported");
		const policy = openid4vci.credentialConfigurationPolicy;
		if (typeof policy !== "function" || !["Function", "AsyncFunction"].includes(policy.constructor.name)) throw new TypeError("features.openid4vci.credentialConfigurationPolicy must be a function");
		const { issueCredential } = openid4vci;
		if (typeof issueCredential !== "function" || !["Function", "AsyncFunction"].includes(issueCredential.constructor.name)) throw new TypeError("features.openid4vci.issueCredential must be a function");
	}
	registerExtraParamsValidations() {
		if (!is_plain_object_default(this.extraParams)) return;
		this.extraParamsValidations = Object.entries(this.extraParams).map(([key, value]) => {
			if (value == null) return;
			if (typeof value !== "function" || !["Function", "AsyncFunction"].includes(value.constructor.name)) throw new TypeError(`invalid extraParams.${key} type, it must be a function, null, or undefined`);
			return [key, value];
		}).filter(Boolean);
		this.extraParams = new Set(Object.keys(this.extraParams));
	}
	ensureSets() {
		for (const [obj, props] of [[this, [
			"scopes",
			"subjectTypes",
			"extraParams",
			"acrValues",
			"clientAuthMethods"
		]], [this.features.ciba, ["deliveryModes"]]]) for (const prop of props) if (!(obj[prop] instanceof Set)) {
			if (!Array.isArray(obj[prop])) throw new TypeError(`${prop} must be an Array or Set`);
			const setValue = new Set(obj[prop]);
			set_default(obj, prop, setValue);
		}
	}
	checkResponseTypes() {
		const types = /* @__PURE__ */ new Set();
		this.responseTypes.forEach((type) => {
			const parsed = new Set(type.split(" "));
			if (parsed.has("none") && parsed.size !== 1 || parsed.has("token") && parsed.size === 1 || ![...parsed].every(Set.prototype.has.bind(supportedResponseTypes))) throw new TypeError(`unsupported response type: ${type}`);
			types.add([...parsed].sort().join(" "));
		});
		this.responseTypes = [...types];
	}
	collectGrantTypes() {
		this.grantTypes = /* @__PURE__ */ new Set();
		this.responseTypes.forEach((responseType) => {
			if (responseType.includes("token")) this.grantTypes.add("implicit");
			if (responseType.includes("code")) this.grantTypes.add("authorization_code");
		});
		if (this.scopes.has("offline_access") || this.issueRefreshToken !== this.#defaults.issueRefreshToken) this.grantTypes.add("refresh_token");
		if (this.features.clientCredentials.enabled) this.grantTypes.add("client_credentials");
		if (this.features.deviceFlow.enabled) this.grantTypes.add("urn:ietf:params:oauth:grant-type:device_code");
		if (this.features.ciba.enabled) this.grantTypes.add("urn:openid:params:grant-type:ciba");
		if (this.features.openid4vci.enabled && this.features.openid4vci.preAuthorizedCodeGrant) this.grantTypes.add("urn:ietf:params:oauth:grant-type:pre-authorized_code");
	}
	collectScopes() {
		const claimDefinedScopes = [];
		Object.entries(this.claims).forEach(([key, value]) => {
			if (is_plain_object_default(value) || Array.isArray(value)) claimDefinedScopes.push(key);
		});
		claimDefinedScopes.forEach((scope) => {
			if (typeof scope === "string" && !this.scopes.has(scope)) this.scopes.add(scope);
		});
	}
	collectPrompts() {
		this.prompts = /* @__PURE__ */ new Set(["none"]);
		this.interactions.policy.forEach(({ name, requestable }) => {
			if (requestable) this.prompts.add(name);
		});
	}
	unpackArrayClaims() {
		Object.entries(this.claims).forEach(([key, value]) => {
			if (Array.isArray(value)) this.claims[key] = value.reduce((accumulator, claim) => {
				const scope = accumulator;
				scope[claim] = null;
				return scope;
			}, {});
		});
	}
	ensureOpenIdSub() {
		if (!Object.keys(this.claims.openid).includes("sub")) this.claims.openid.sub = null;
	}
	removeAcrIfEmpty() {
		if (!this.acrValues.size) delete this.claims.acr;
	}
	collectClaims() {
		const claims = /* @__PURE__ */ new Set();
		this.scopes.forEach((scope) => {
			if (scope in this.claims) Object.keys(this.claims[scope]).forEach(Set.prototype.add.bind(claims));
		});
		Object.entries(this.claims).forEach(([key, value]) => {
			if (value === null) claims.add(key);
		});
		this.claimsSupported = claims;
	}
	checkAllowedJWA() {
		if (this.enabledJWA === null) throw new TypeError("enabledJWA must be an object");
		Object.entries(this.enabledJWA).forEach(([key, value]) => {
			if (!jwa_exports[key]) throw new TypeError(`invalid property enabledJWA.${key} provided`);
			if (!Array.isArray(value)) throw new TypeError(`invalid type for enabledJWA.${key} provided, expected Array`);
			value.forEach((alg) => {
				if (!jwa_exports[key].includes(alg)) throw new TypeError(`unsupported enabledJWA.${key} algorithm provided`);
			});
		});
	}
	setAlgs(prop, values, ...features) {
		if (features.length === 0 || features.every((enabled) => !!enabled)) this[prop] = values;
		else this[prop] = [];
	}
	defaultSigAlg() {
		const allowList = this.enabledJWA;
		const enabled = {
			encryption: this.features.encryption.enabled,
			requestObjects: this.features.requestObjects.enabled,
			jwtUserinfo: this.features.jwtUserinfo.enabled,
			jwtIntrospection: this.features.jwtIntrospection.enabled,
			jwtResponseModes: this.features.jwtResponseModes.enabled,
			dPoP: this.features.dPoP.enabled,
			attestClientAuth: this.features.attestClientAuth.enabled
		};
		this.setAlgs("idTokenSigningAlgValues", allowList.idTokenSigningAlgValues.filter(filterHS));
		this.setAlgs("idTokenEncryptionAlgValues", allowList.idTokenEncryptionAlgValues.slice());
		this.setAlgs("idTokenEncryptionEncValues", allowList.idTokenEncryptionEncValues.slice(), enabled.encryption);
		this.setAlgs("requestObjectSigningAlgValues", allowList.requestObjectSigningAlgValues.slice(), enabled.requestObjects);
		this.setAlgs("requestObjectEncryptionAlgValues", allowList.requestObjectEncryptionAlgValues.filter(RegExp.prototype.test.bind(/^(A|dir$)/)), enabled.encryption, enabled.requestObjects);
		this.setAlgs("requestObjectEncryptionEncValues", allowList.requestObjectEncryptionEncValues.slice(), enabled.encryption, enabled.requestObjects);
		this.setAlgs("userinfoSigningAlgValues", allowList.userinfoSigningAlgValues.filter(filterHS), enabled.jwtUserinfo);
		this.setAlgs("userinfoEncryptionAlgValues", allowList.userinfoEncryptionAlgValues.slice(), enabled.jwtUserinfo, enabled.encryption);
		this.setAlgs("userinfoEncryptionEncValues", allowList.userinfoEncryptionEncValues.slice(), enabled.jwtUserinfo, enabled.encryption);
		this.setAlgs("introspectionSigningAlgValues", allowList.introspectionSigningAlgValues.filter(filterHS), enabled.jwtIntrospection);
		this.setAlgs("introspectionEncryptionAlgValues", allowList.introspectionEncryptionAlgValues.slice(), enabled.jwtIntrospection, enabled.encryption);
		this.setAlgs("introspectionEncryptionEncValues", allowList.introspectionEncryptionEncValues.slice(), enabled.jwtIntrospection, enabled.encryption);
		this.setAlgs("authorizationSigningAlgValues", allowList.authorizationSigningAlgValues.filter(filterHS), enabled.jwtResponseModes);
		this.setAlgs("authorizationEncryptionAlgValues", allowList.authorizationEncryptionAlgValues.slice(), enabled.jwtResponseModes, enabled.encryption);
		this.setAlgs("authorizationEncryptionEncValues", allowList.authorizationEncryptionEncValues.slice(), enabled.jwtResponseModes, enabled.encryption);
		this.setAlgs("dPoPSigningAlgValues", allowList.dPoPSigningAlgValues.slice(), enabled.dPoP);
		this.setAlgs("attestSigningAlgValues", allowList.attestSigningAlgValues.slice(), enabled.attestClientAuth);
		this.clientAuthSigningAlgValues = this.enabledJWA.clientAuthSigningAlgValues;
		if (!this.clientAuthMethods.has("client_secret_jwt")) remove_default(this.clientAuthSigningAlgValues, filterHS);
		else if (!this.clientAuthSigningAlgValues.find(filterHS)) this.clientAuthMethods.delete("client_secret_jwt");
		if (!this.clientAuthMethods.has("private_key_jwt")) remove_default(this.clientAuthSigningAlgValues, filterAsymmetricSig);
		else if (!this.clientAuthSigningAlgValues.find(filterAsymmetricSig)) this.clientAuthMethods.delete("private_key_jwt");
		if (!this.clientAuthSigningAlgValues.length) this.clientAuthSigningAlgValues = void 0;
	}
	checkSubjectTypes() {
		if (!this.subjectTypes.size) throw new TypeError("subjectTypes must not be empty");
		this.subjectTypes.forEach((type) => {
			if (!["public", "pairwise"].includes(type)) throw new TypeError("only public and pairwise subjectTypes are supported");
		});
	}
	checkCibaDeliveryModes() {
		const modes = this.features.ciba.deliveryModes;
		if (!modes.size) throw new TypeError("features.ciba.deliveryModes must not be empty");
		for (const mode of modes) if (!["ping", "poll"].includes(mode)) throw new TypeError("only poll and ping CIBA delivery modes are supported");
	}
	checkDependantFeatures() {
		const { features } = this;
		if (features.jwtIntrospection.enabled && !features.introspection.enabled) throw new TypeError("jwtIntrospection is only available in conjunction with introspection");
		if (features.jwtUserinfo.enabled && !features.userinfo.enabled) throw new TypeError("jwtUserinfo is only available in conjunction with userinfo");
		if (features.registrationManagement.enabled && !features.registration.enabled) throw new TypeError("registrationManagement is only available in conjunction with registration");
		if (features.registration.enabled && features.registration.policies && !features.registration.initialAccessToken) throw new TypeError("registration policies are only available in conjunction with adapter-backed initial access tokens");
		if (features.richAuthorizationRequests.enabled && !features.resourceIndicators.enabled) throw new TypeError("richAuthorizationRequests is only available in conjunction with enabled resourceIndicators");
	}
	checkTTL() {
		Object.entries(this.ttl).forEach(([key, value]) => {
			let valid = false;
			switch (typeof value) {
				case "function":
					if (value.constructor.toString() === "function Function() { [native code] }") valid = true;
					break;
				case "number":
					if (Number.isSafeInteger(value) && value > 0) valid = true;
					break;
				case "undefined": valid = true;
			}
			if (!valid) throw new TypeError(`ttl.${key} must be a positive integer or a regular function returning one`);
		});
	}
	checkFapiProfile() {
		if (!this.features.fapi.enabled) this.features.fapi.profile = () => void 0;
		else if (typeof this.features.fapi.profile === "function") {
			const helper = this.features.fapi.profile;
			this.features.fapi.profile = (...args) => {
				const profile = helper(...args);
				if (profile && !fapiProfiles.has(profile)) throw new TypeError(`'profile' must be ${formatList([...fapiProfiles], { type: "disjunction" })}`);
				return profile || void 0;
			};
		} else if (!fapiProfiles.has(this.features.fapi.profile)) throw new TypeError(`'profile' must be ${formatList([...fapiProfiles], { type: "disjunction" })}`);
		else {
			const value = this.features.fapi.profile;
			this.features.fapi.profile = () => value;
		}
	}
	checkPostMethods() {
		if (this.enableHttpPostMethods && this.cookies.long.sameSite?.toLowerCase() !== "none") throw new TypeError("HTTP POST Method support requires that cookies.long.sameSite is set to none");
	}
	checkAttestClientAuth() {
		const { additionalSecuritySignal } = this.features.attestClientAuth;
		if (additionalSecuritySignal !== false && additionalSecuritySignal !== "optional" && additionalSecuritySignal !== "required") throw new TypeError("features.attestClientAuth.additionalSecuritySignal must be false, optional, or required");
		if (this.features.attestClientAuth.enabled && this.features.dPoP.enabled && this.features.dPoP.nonceSecret === void 0) throw new TypeError("features.dPoP.nonceSecret is required when features.attestClientAuth and features.dPoP are enabled");
	}
	checkAuthMethods() {
		const authMethods = /* @__PURE__ */ new Set([
			"none",
			"client_secret_basic",
			"client_secret_jwt",
			"client_secret_post",
			"private_key_jwt"
		]);
		if (this.features.mTLS.enabled && this.features.mTLS.tlsClientAuth) authMethods.add("tls_client_auth");
		if (this.features.mTLS.enabled && this.features.mTLS.selfSignedTlsClientAuth) authMethods.add("self_signed_tls_client_auth");
		if (this.features.attestClientAuth.enabled) {
			authMethods.add("attest_jwt_client_auth");
			if (this.features.dPoP.enabled) authMethods.add("attest_jwt_client_auth_dpop");
		}
		if (this.clientAuthMethods) this.clientAuthMethods.forEach((method) => {
			if (!authMethods.has(method)) throw new TypeError(`only supported clientAuthMethods are ${formatList([...authMethods])}`);
		});
	}
	checkFetchResponseBodyLimits() {
		const { fetchResponseBodyLimits } = this;
		if (!is_plain_object_default(fetchResponseBodyLimits)) throw new TypeError("fetchResponseBodyLimits must be a plain object");
		for (const [key, value] of Object.entries(fetchResponseBodyLimits)) if (typeof value !== "number" || !Number.isSafeInteger(value) && value !== Infinity || value < 0) throw new TypeError(`fetchResponseBodyLimits.${JSON.stringify(key)} must be a non-negative safe integer or Infinity`);
	}
	checkDeviceFlow() {
		if (this.features.deviceFlow.enabled) {
			if (this.features.deviceFlow.charset !== void 0) {
				if (!["base-20", "digits"].includes(this.features.deviceFlow.charset)) throw new TypeError("only supported charsets are \"base-20\" and \"digits\"");
			}
			if (!/^[-* ]*$/.test(this.features.deviceFlow.mask)) throw new TypeError("mask can only contain asterisk(\"*\"), hyphen-minus(\"-\") and space(\" \") characters");
		}
	}
	logDraftNotice(recognizedFeatures = makeDefaults().features) {
		const ENABLED_EXPERIMENTS = /* @__PURE__ */ new Set();
		let throwExperiment = false;
		Object.entries(this.features).forEach(([flag, { enabled, ack }]) => {
			if (!(flag in recognizedFeatures)) throw new TypeError(`Unknown feature configuration: ${flag}`);
			const experimental = EXPERIMENTS.get(flag);
			if (experimental && enabled && !STABLE.has(flag) && (Array.isArray(experimental.version) ? !experimental.version.includes(ack) : ack !== experimental.version)) {
				if (typeof ack !== "undefined") throwExperiment = true;
				ENABLED_EXPERIMENTS.add(flag);
			}
			if (enabled && !experimental && ack !== void 0) throw new TypeError(`${flag} feature is now stable, the ack ${ack} is no longer valid. Check the stable feature's configuration for any breaking changes.`);
		});
		if (ENABLED_EXPERIMENTS.size) {
			info("The following experimental features are enabled and their implemented version not acknowledged");
			ENABLED_EXPERIMENTS.forEach((experimental) => {
				const { name } = EXPERIMENTS.get(experimental);
				let { version } = EXPERIMENTS.get(experimental);
				if (Array.isArray(version)) version = version[version.length - 1];
				info(`  - ${name} (Acknowledging this feature's implemented version can be done with the value '${version}')`);
			});
			info("Breaking changes between experimental feature updates may occur and these will be published as MINOR semver oidc-provider updates.");
			info("You may disable this notice and be warned when breaking updates occur by acknowledging the current experiment's version. See the documentation for more details.");
			if (throwExperiment) throw new TypeError("An unacknowledged version of an experimental feature is included in this oidc-provider version.");
		}
	}
};

// node_modules/oidc-provider/lib/helpers/keystore.js
var ExternalSigningKey = class {
	#publicJwk;
	#kid;
	#alg;
	get kid() {
		return this.#kid;
	}
	set kid(value) {
		this.#kid = value;
	}
	get alg() {
		return this.#alg;
	}
	set alg(value) {
		this.#alg = value;
	}
	get use() {
		return "sig";
	}
	#ensurePublicJwk() {
		this.#publicJwk ||= this.keyObject().export({ format: "jwk" });
	}
	get kty() {
		this.#ensurePublicJwk();
		return this.#publicJwk.kty;
	}
	get pub() {
		this.#ensurePublicJwk();
		return this.#publicJwk.pub;
	}
	get e() {
		this.#ensurePublicJwk();
		return this.#publicJwk.e;
	}
	get n() {
		this.#ensurePublicJwk();
		return this.#publicJwk.n;
	}
	get x() {
		this.#ensurePublicJwk();
		return this.#publicJwk.x;
	}
	get y() {
		this.#ensurePublicJwk();
		return this.#publicJwk.y;
	}
	get crv() {
		this.#ensurePublicJwk();
		return this.#publicJwk.crv;
	}
	get key_ops() {}
	get x5c() {}
	keyObject() {
		throw new Error("not implemented");
	}
	sign() {
		throw new Error("not implemented");
	}
};
const keyscore = (key, { alg, use }) => {
	let score = 0;
	if (alg && key.alg) score++;
	if (use && key.use) score++;
	return score;
};
const getKtyFromJWSAlg = (alg) => {
	switch (alg.substring(0, 2)) {
		case "RS":
		case "PS": return "RSA";
		case "HS": return "oct";
		case "ES": return "EC";
		case "Ed": return "OKP";
		case "ML": return "AKP";
		default: throw new Error(`unsupported JWS algorithm (${alg})`);
	}
};
const getCrvFromJWSAlg = (alg) => {
	switch (alg) {
		case "ES256": return "P-256";
		case "ES384": return "P-384";
		case "ES512": return "P-521";
		case "EdDSA":
		case "Ed25519": return "Ed25519";
		default: return;
	}
};
const getKtyFromJWEAlg = (alg, epk) => {
	switch (alg[0]) {
		case "A": return "oct";
		case "R": return "RSA";
		case "E":
			if (epk) return epk.crv.startsWith("X") ? "OKP" : "EC";
			return ["OKP", "EC"];
		default: throw new Error(`unsupported JWE key management algorithm (${alg})`);
	}
};
const selectForDSA = Symbol();
const selectForEncDec = Symbol();
const filter = Symbol();
function stripPrivate(jwk) {
	const { d, p, q, dp, dq, qi, oth, priv, ...pub } = jwk;
	return pub;
}
var KeyStore = class {
	#keys;
	#cachedPub;
	constructor(keys = []) {
		this.#keys = keys;
	}
	[selectForDSA](options, operation) {
		const { alg, kid, kty = getKtyFromJWSAlg(alg), crv = getCrvFromJWSAlg(alg) } = options;
		const scoring = {
			alg,
			use: "sig"
		};
		return this[filter]((jwk) => {
			let candidate = jwk.kty === kty;
			if (candidate && typeof kid === "string") candidate = kid === jwk.kid;
			if (candidate && (typeof jwk.alg === "string" || kty === "AKP")) candidate = alg === jwk.alg;
			if (candidate && typeof jwk.use === "string") candidate = jwk.use === "sig";
			if (candidate && crv) candidate = jwk.crv === crv;
			if (candidate && Array.isArray(jwk.key_ops)) candidate = jwk.key_ops.includes(operation);
			return candidate;
		}, scoring);
	}
	selectForVerify(options) {
		return this[selectForDSA](options, "verify");
	}
	selectForSign(options) {
		return this[selectForDSA](options, "sign");
	}
	[selectForEncDec](options, operation) {
		const { alg, kid, epk, kty = getKtyFromJWEAlg(alg, epk) } = options;
		const scoring = {
			alg,
			use: "enc"
		};
		return this[filter]((jwk) => {
			let candidate = Array.isArray(kty) ? kty.includes(jwk.kty) : jwk.kty === kty;
			if (candidate && kid !== void 0) candidate = kid === jwk.kid;
			if (candidate && jwk.alg !== void 0) candidate = alg === jwk.alg;
			if (candidate && jwk.use !== void 0) candidate = jwk.use === "enc";
			if (candidate && epk) candidate = epk.crv === jwk.crv;
			if (candidate && Array.isArray(jwk.key_ops)) switch (kty) {
				case "RSA":
					candidate = jwk.key_ops.includes(operation);
					break;
				case "EC":
				case "OKP": if (operation === "decrypt") candidate = jwk.key_ops.includes("deriveBits");
			}
			return candidate;
		}, scoring);
	}
	selectForDecrypt(options) {
		return this[selectForEncDec](options, "decrypt");
	}
	selectForEncrypt(options) {
		return this[selectForEncDec](options, "encrypt");
	}
	[filter](selector, scoring) {
		return this.#keys.filter(selector).sort((first, second) => keyscore(second, scoring) - keyscore(first, scoring));
	}
	add(key) {
		this.#keys.push(key);
	}
	clear() {
		this.#keys = [];
	}
	getKeyObject(input, getPublic = false) {
		if (input instanceof ExternalSigningKey) return getPublic ? input.keyObject() : input;
		if (input.kty === "oct" || !input.d && !input.priv || !getPublic) return input;
		this.#cachedPub ||= /* @__PURE__ */ new WeakMap();
		if (!this.#cachedPub.has(input)) this.#cachedPub.set(input, stripPrivate(input));
		return this.#cachedPub.get(input);
	}
	*[Symbol.iterator]() {
		for (const key of this.#keys) yield key;
	}
};

// node_modules/oidc-provider/lib/helpers/initialize_keystore.js
const calculateKid = (jwk) => {
	let components;
	switch (jwk.kty) {
		case "RSA":
			components = {
				e: jwk.e,
				kty: "RSA",
				n: jwk.n
			};
			break;
		case "EC":
			components = {
				crv: jwk.crv,
				kty: "EC",
				x: jwk.x,
				y: jwk.y
			};
			break;
		case "OKP":
			components = {
				crv: jwk.crv,
				kty: "OKP",
				x: jwk.x
			};
			break;
		case "AKP":
			components = {
				alg: jwk.alg,
				kty: "AKP",
				pub: jwk.pub
			};
			break;
		default: return;
	}
	return crypto$1.hash("sha256", JSON.stringify(components), "base64url");
};
const KEY_TYPES = /* @__PURE__ */ new Set([
	"RSA",
	"EC",
	"OKP",
	"AKP"
]);
function check$2(condition, message, cause) {
	if (!condition) throw new Error(message, { cause });
}
const jwkSignatureAlgorithms = (jwk) => {
	if (jwk.use !== "sig" && jwk.use !== void 0) return [];
	let available;
	switch (jwk.kty) {
		case "RSA":
			available = [
				"PS256",
				"PS384",
				"PS512",
				"RS256",
				"RS384",
				"RS512"
			];
			break;
		case "EC":
			switch (jwk.crv) {
				case "P-256":
					available = ["ES256"];
					break;
				case "P-384":
					available = ["ES384"];
					break;
				case "P-521": available = ["ES512"];
			}
			break;
		case "OKP":
			switch (jwk.crv) {
				case "Ed25519": available = ["EdDSA", "Ed25519"];
			}
			break;
		case "AKP": switch (jwk.alg) {
			case "ML-DSA-44":
			case "ML-DSA-65":
			case "ML-DSA-87": available = [jwk.alg];
		}
	}
	if (jwk.alg) {
		if (available?.includes(jwk.alg)) return [jwk.alg];
		return [];
	}
	return available || [];
};
const jwkEncryptionAlgorithms = (jwk) => {
	if (jwk.use !== "enc" && jwk.use !== void 0) return [];
	let available;
	switch (jwk.kty) {
		case "RSA":
			available = [
				"RSA-OAEP",
				"RSA-OAEP-256",
				"RSA-OAEP-384",
				"RSA-OAEP-512"
			];
			break;
		case "EC":
			switch (jwk.crv) {
				case "P-256":
				case "P-384":
				case "P-521": available = [
					"ECDH-ES",
					"ECDH-ES+A128KW",
					"ECDH-ES+A192KW",
					"ECDH-ES+A256KW"
				];
			}
			break;
		case "OKP": switch (jwk.crv) {
			case "X25519": available = [
				"ECDH-ES",
				"ECDH-ES+A128KW",
				"ECDH-ES+A192KW",
				"ECDH-ES+A256KW"
			];
		}
	}
	if (jwk.alg) {
		if (available?.includes(jwk.alg)) return [jwk.alg];
		return [];
	}
	return available || [];
};
function isExternal(key) {
	return key instanceof ExternalSigningKey;
}
function registerKey(input, i, keystore, kids) {
	const { configuration, features } = get$2(this);
	let key;
	if (isExternal(input)) {
		check$2(features.externalSigningSupport.enabled, "features.externalSigningSupport must be enabled for ExternalSigningKey support", input);
		key = input;
	} else key = structuredClone(input);
	const checkKey = (condition, message) => check$2(condition, message, input);
	const checkString = (property) => checkKey(typeof key?.[property] === "string" && key[property], `jwks.keys[${i}].${property} configuration must be a non-empty string`);
	checkKey(KEY_TYPES.has(key?.kty), `only RSA, EC, OKP, or AKP keys should be part of jwks configuration (index ${i})`);
	key.kid ??= calculateKid(key);
	checkString("kid");
	checkKey(!kids.has(key.kid), "jwks.keys configuration must not contain duplicate \"kid\" values");
	kids.add(key.kid);
	switch (key.kty) {
		case "AKP":
			checkString("alg");
			checkString("pub");
			if (!(key instanceof ExternalSigningKey)) checkString("priv");
			break;
		case "OKP":
			checkString("crv");
			checkString("x");
			if (!(key instanceof ExternalSigningKey)) checkString("d");
			break;
		case "EC":
			checkString("crv");
			checkString("x");
			checkString("y");
			if (!(key instanceof ExternalSigningKey)) checkString("d");
			break;
		case "RSA":
			checkString("e");
			checkString("n");
			if (!(key instanceof ExternalSigningKey)) for (const parameter of [
				"d",
				"p",
				"q",
				"dp",
				"dq",
				"qi"
			]) checkString(parameter);
			break;
		default: throw new Error("unreachable");
	}
	if (key instanceof ExternalSigningKey) checkKey(key.use === "sig", `jwks.keys[${i}] configuration "use" must be "sig"`);
	if (key.key_ops !== void 0) checkKey(Array.isArray(key.key_ops) && key.key_ops.length && key.key_ops.every((x) => typeof x === "string" && x), `jwks.keys[${i}].key_ops configuration must be an array of strings`);
	if (key.x5c !== void 0) checkKey(Array.isArray(key.x5c) && key.x5c.length && key.x5c.every((x) => typeof x === "string" && x), `jwks.keys[${i}].x5c configuration must be an array of strings`);
	let encryptionAlgs;
	if (features.encryption.enabled) {
		encryptionAlgs = jwkEncryptionAlgorithms(key);
		["requestObjectEncryptionAlgValues"].forEach((prop) => {
			configuration[prop] = [.../* @__PURE__ */ new Set([...configuration[prop], ...encryptionAlgs])].filter((v) => configuration.enabledJWA[prop].includes(v));
		});
	}
	const signingAlgs = jwkSignatureAlgorithms(key);
	[
		"idTokenSigningAlgValues",
		"userinfoSigningAlgValues",
		"introspectionSigningAlgValues",
		"authorizationSigningAlgValues"
	].forEach((prop) => {
		configuration[prop] = [.../* @__PURE__ */ new Set([...configuration[prop], ...signingAlgs])].filter((v) => configuration.enabledJWA[prop].includes(v));
	});
	const combined = signingAlgs.concat(encryptionAlgs).filter(Boolean);
	if (combined.length === 1 && key.alg !== combined[0]) [key.alg] = combined;
	if (isExternal(key) && combined.length > 1) checkString("alg");
	if (encryptionAlgs?.length && !signingAlgs.length && key.use !== "enc") key.use = "enc";
	else if (signingAlgs.length && !encryptionAlgs?.length && key.use !== "sig") key.use = "sig";
	if (!Array.isArray(key.x5c) || !key.x5c.length) delete key.x5c;
	checkKey(combined.length, `jwks.keys[${i}] is of no use given the other configuration, remove it`);
	keystore.add(key);
}
function initialize$1(jwks) {
	if (jwks === void 0) {
		jwks = structuredClone(dev_keystore_default);
		warn("quick start development-only signing keys are used, you are expected to provide your own in the configuration \"jwks\" property");
	}
	const keystore = new KeyStore();
	const kids = /* @__PURE__ */ new Set();
	check$2(jwks !== null && typeof jwks === "object" && Array.isArray(jwks.keys), "keystore must be a JSON Web Key Set formatted object", jwks);
	for (let i = 0; i < jwks.keys.length; i++) registerKey.call(this, jwks.keys[i], i, keystore, kids);
	get$2(this).keystore = keystore;
	const keys = [...keystore].map((key) => ({
		kty: key.kty,
		use: key.use,
		key_ops: key.key_ops ? [...key.key_ops] : void 0,
		kid: key.kid,
		alg: key.alg,
		crv: key.crv,
		e: key.e,
		n: key.n,
		x: key.x,
		x5c: key.x5c ? [...key.x5c] : void 0,
		y: key.y,
		pub: key.pub
	}));
	get$2(this).jwks = { keys };
}

// node_modules/oidc-provider/lib/helpers/epoch_time.js
var epoch_time_default = (date = Date.now()) => Math.floor(date / 1e3);

// node_modules/oidc-provider/lib/adapters/memory_adapter.js
function createStorage() {
	return new LRU({ maxSize: 1e3 });
}
let storage = createStorage();
function grantKeyFor(id) {
	return `grant:${id}`;
}
function sessionUidKeyFor(id) {
	return `sessionUid:${id}`;
}
function userCodeKeyFor(userCode) {
	return `userCode:${userCode}`;
}
const grantable = /* @__PURE__ */ new Set([
	"AccessToken",
	"AuthorizationCode",
	"RefreshToken",
	"DeviceCode",
	"BackchannelAuthenticationRequest",
	"PreAuthorizedCode"
]);
function storageOptions(expiresIn, clockTolerance) {
	if (typeof expiresIn === "number") return { maxAge: (expiresIn + clockTolerance) * 1e3 };
}
function getGrantMembers(store, grantId) {
	const stored = store.get(grantKeyFor(grantId));
	if (stored instanceof Map) return stored;
	return new Map([...stored ?? []].map((key) => [key, Infinity]));
}
function setGrantMembers(store, grantId, members) {
	const now = Date.now();
	for (const [key, expiresAt] of members) if (expiresAt <= now) members.delete(key);
	const grantKey = grantKeyFor(grantId);
	if (members.size === 0) {
		store.delete(grantKey);
		return;
	}
	const expiresAt = Math.max(...members.values());
	const options = Number.isFinite(expiresAt) ? { maxAge: expiresAt - now } : void 0;
	store.set(grantKey, members, options);
}
function removeSecondaryIndexes(store, id, payload) {
	if (payload.uid && store.get(sessionUidKeyFor(payload.uid)) === id) store.delete(sessionUidKeyFor(payload.uid));
	if (payload.userCode && store.get(userCodeKeyFor(payload.userCode)) === id) store.delete(userCodeKeyFor(payload.userCode));
}
function removeIndexes(store, model, id, key, payload) {
	removeSecondaryIndexes(store, id, payload);
	if (grantable.has(model) && payload.grantId) {
		const members = getGrantMembers(store, payload.grantId);
		members.delete(key);
		setGrantMembers(store, payload.grantId, members);
	}
}
var MemoryAdapter = class {
	constructor(model, store, clockTolerance = 0) {
		this.model = model;
		this.store = store;
		this.clockTolerance = clockTolerance;
	}
	get storage() {
		return this.store ?? storage;
	}
	key(id) {
		return `${this.model}:${id}`;
	}
	async destroy(id) {
		const key = this.key(id);
		const payload = this.storage.get(key);
		this.storage.delete(key);
		if (payload) removeIndexes(this.storage, this.model, id, key, payload);
	}
	async consume(id) {
		this.storage.get(this.key(id)).consumed = epoch_time_default();
	}
	async find(id) {
		return this.storage.get(this.key(id));
	}
	async findByUid(uid) {
		const id = this.storage.get(sessionUidKeyFor(uid));
		return this.find(id);
	}
	async findByUserCode(userCode) {
		const id = this.storage.get(userCodeKeyFor(userCode));
		return this.find(id);
	}
	async upsert(id, payload, expiresIn) {
		const key = this.key(id);
		const options = storageOptions(expiresIn, this.clockTolerance);
		const previous = this.storage.get(key);
		if (previous) removeIndexes(this.storage, this.model, id, key, previous);
		if (this.model === "Session") this.storage.set(sessionUidKeyFor(payload.uid), id, options);
		const { grantId, userCode } = payload;
		if (grantable.has(this.model) && grantId) {
			const members = getGrantMembers(this.storage, grantId);
			const expiresAt = typeof expiresIn === "number" ? Date.now() + (expiresIn + this.clockTolerance) * 1e3 : Infinity;
			members.set(key, expiresAt);
			setGrantMembers(this.storage, grantId, members);
		}
		if (userCode) this.storage.set(userCodeKeyFor(userCode), id, options);
		this.storage.set(key, payload, options);
	}
	async revokeByGrantId(grantId) {
		const grantKey = grantKeyFor(grantId);
		const members = getGrantMembers(this.storage, grantId);
		if (members.size) {
			for (const token of members.keys()) {
				const payload = this.storage.get(token);
				this.storage.delete(token);
				if (payload) {
					const id = payload.jti ?? token.slice(token.indexOf(":") + 1);
					removeSecondaryIndexes(this.storage, id, payload);
				}
			}
			this.storage.delete(grantKey);
		}
	}
};
function createMemoryAdapter(clockTolerance = 0) {
	const store = createStorage();
	return (model) => new MemoryAdapter(model, store, clockTolerance);
}

// node_modules/oidc-provider/lib/helpers/type_validators.js
const hasPrototype = (target) => target.prototype !== null && typeof target.prototype === "object";
const isContructor = (fn) => fn.constructor instanceof Function && fn.constructor.name !== void 0;
var type_validators_default = (constructable) => constructable instanceof Function && hasPrototype(constructable) && isContructor(constructable.constructor);

// node_modules/oidc-provider/lib/helpers/initialize_adapter.js
function initializeAdapter(adapter = MemoryAdapter) {
	let Adapter = adapter;
	if (adapter === MemoryAdapter) {
		warn("a quick start development-only in-memory adapter is used, you MUST change it in order to not lose all stateful provider data upon restart and to be able to share these between processes");
		Adapter = createMemoryAdapter(get$2(this).configuration.clockTolerance);
	} else {
		const constructable = type_validators_default(adapter);
		const executable = typeof adapter === "function" && !util.types.isAsyncFunction(adapter);
		if (!constructable && !executable) throw new Error("Expected \"adapter\" to be a constructor or a factory function, provide a valid adapter in Provider config.");
	}
	get$2(this).Adapter = Adapter;
}

// node_modules/oidc-provider/lib/helpers/router.js
function compose(middleware) {
	return function composed(ctx, next) {
		let index = -1;
		function dispatch(i) {
			if (i <= index) return Promise.reject(/* @__PURE__ */ new Error("next() called multiple times"));
			index = i;
			const fn = i === middleware.length ? next : middleware[i];
			if (!fn) return Promise.resolve();
			try {
				return Promise.resolve(fn(ctx, dispatch.bind(null, i + 1)));
			} catch (err) {
				return Promise.reject(err);
			}
		}
		return dispatch(0);
	};
}
function decode$2(value) {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}
function fold(value) {
	for (let i = 0; i < value.length; i += 1) if (value.charCodeAt(i) > 127) {
		let out = "";
		for (const char of value) {
			const upper = char.toUpperCase();
			out += upper.length === 1 && !(char.codePointAt(0) > 127 && upper.codePointAt(0) < 128) ? upper : char;
		}
		return out;
	}
	return value.toUpperCase();
}
var Router = class {
	#static = /* @__PURE__ */ new Map();
	#dynamic = [];
	#names = /* @__PURE__ */ new Map();
	#register(method, name, path, middleware) {
		if (!this.#names.has(name)) this.#names.set(name, path);
		const route = {
			name,
			path,
			run: compose(middleware)
		};
		const methods = method === "GET" ? ["GET", "HEAD"] : [method];
		if (!path.includes("/:")) {
			const key = fold(path);
			let byMethod = this.#static.get(key);
			if (!byMethod) {
				byMethod = /* @__PURE__ */ new Map();
				this.#static.set(key, byMethod);
			}
			for (const verb of methods) if (!byMethod.has(verb)) byMethod.set(verb, route);
			return;
		}
		const raw = path.split("/");
		const segments = raw.map((s) => s.charCodeAt(0) === 58 ? null : fold(s));
		const keys = raw.map((s) => s.charCodeAt(0) === 58 ? s.slice(1) : null);
		for (const verb of methods) this.#dynamic.push({
			verb,
			segments,
			keys,
			route
		});
	}
	get(name, path, ...middleware) {
		this.#register("GET", name, path, middleware);
		return this;
	}
	post(name, path, ...middleware) {
		this.#register("POST", name, path, middleware);
		return this;
	}
	put(name, path, ...middleware) {
		this.#register("PUT", name, path, middleware);
		return this;
	}
	delete(name, path, ...middleware) {
		this.#register("DELETE", name, path, middleware);
		return this;
	}
	options(name, path, ...middleware) {
		this.#register("OPTIONS", name, path, middleware);
		return this;
	}
	#lookup(method, path) {
		const folded = fold(path);
		const route = this.#static.get(folded)?.get(method);
		if (route) return {
			route,
			params: {}
		};
		if (this.#dynamic.length) {
			const parts = path.split("/");
			const foldedParts = folded.split("/");
			for (const candidate of this.#dynamic) {
				if (candidate.verb !== method || candidate.segments.length !== parts.length) continue;
				let params;
				let matched = true;
				for (let i = 0; i < candidate.segments.length; i += 1) {
					const segment = candidate.segments[i];
					if (segment === null) {
						if (!parts[i]) {
							matched = false;
							break;
						}
						params ??= {};
						params[candidate.keys[i]] = decode$2(parts[i]);
					} else if (segment !== foldedParts[i]) {
						matched = false;
						break;
					}
				}
				if (matched) return {
					route: candidate.route,
					params: params ?? {}
				};
			}
		}
	}
	match(method, path) {
		const exact = this.#lookup(method, path);
		if (exact) return exact;
		if (path.length > 1 && path.charCodeAt(path.length - 1) === 47) return this.#lookup(method, path.slice(0, -1));
	}
	url(name, params = {}, options) {
		const path = this.#names.get(name);
		if (path === void 0) return /* @__PURE__ */ new Error(`No route found for name: ${name}`);
		let values = params;
		let query = options?.query;
		if (!options && params && params.query) ({query, ...values} = params);
		const url = path.replace(/\/:([^/]+)/g, (_, key) => {
			if (values[key] === void 0 || values[key] === null) throw new TypeError(`Missing parameters: ${key}`);
			return `/${encodeURIComponent(values[key])}`;
		});
		if (query === void 0) return url;
		const search = typeof query === "string" ? query.replace(/^\?/, "") : querystring.stringify(query);
		return search ? `${url}?${search}` : url;
	}
	routes() {
		const router = this;
		return function dispatch(ctx, next) {
			const matched = router.match(ctx.method, ctx.path);
			if (!matched) return next();
			ctx.params = {
				...ctx.params,
				...matched.params
			};
			if (ctx.request) ctx.request.params = ctx.params;
			ctx.router = router;
			ctx.routerName = matched.route.name;
			ctx.routerPath = matched.route.path;
			ctx._matchedRoute = matched.route.path;
			ctx._matchedRouteName = matched.route.name;
			return matched.route.run(ctx, next);
		};
	}
};

// node_modules/oidc-provider/lib/shared/selective_body.js
let warned;
const LIMIT = 57344;
async function readBody(req, length, charset) {
	if (req.readableEncoding) throw new Error("stream encoding should not be set");
	if (length !== void 0 && length > LIMIT) throw new Error("request entity too large");
	const chunks = [];
	let received = 0;
	for await (const chunk of req.iterator({ destroyOnReturn: false })) {
		received += chunk.length;
		if (received > LIMIT) throw new Error("request entity too large");
		if (length !== void 0 && received > length) throw new Error("request size did not match content length");
		chunks.push(chunk);
	}
	if (length !== void 0 && received !== length) throw new Error("request size did not match content length");
	const body = Buffer.concat(chunks, received);
	return charset ? new TextDecoder(charset).decode(body) : body;
}
async function selectiveBody(cty, ctx, next) {
	if (ctx.is(cty)) {
		try {
			let usedFallback;
			const body = await (() => {
				if (ctx.req.readable) return readBody(ctx.req, ctx.request.length, ctx.charset);
				if (!warned) {
					warned = true;
					warn("already parsed request body detected, having upstream middleware parser is not recommended, resolving to use req.body or request.body instead");
				}
				usedFallback = true;
				return ctx.req.body || ctx.request.body;
			})();
			if (body instanceof Buffer || typeof body === "string") {
				if (cty === "application/json") ctx.oidc.body = JSON.parse(body);
				else ctx.oidc.body = querystring.parse(body.toString());
			} else if (usedFallback && cty === "application/x-www-form-urlencoded") ctx.oidc.body = querystring.parse(querystring.stringify(body));
			else ctx.oidc.body = body;
		} catch (cause) {
			throw new InvalidRequest("failed to parse the request body", void 0, { cause });
		}
		await next();
	} else if (ctx.get("content-type")) throw new InvalidRequest(`only ${cty} content-type bodies are supported on ${ctx.method} ${ctx.path}`);
	else {
		ctx.oidc.body = {};
		await next();
	}
}
const json = selectiveBody.bind(void 0, "application/json");
async function urlencoded(ctx, next) {
	if (ctx.method === "POST") await selectiveBody("application/x-www-form-urlencoded", ctx, next);
	else await next();
}

// node_modules/oidc-provider/lib/views/interaction.js
function interaction$1(it, options) {
	const include = (template, data) => this.render(template, data, options);
	const __eta = {
		res: "",
		e: this.config.escapeFunction,
		f: this.config.filterFunction
	};
	__eta.res += "<div class=\"login-client-image\">\n  ";
	if (it.client.logoUri) {
		__eta.res += "<img src=\"";
		__eta.res += __eta.e(it.client.logoUri);
		__eta.res += "\">";
	}
	__eta.res += "</div>\n\n<ul>\n";
	if ([
		it.details.missingOIDCScope,
		it.details.missingOIDCClaims,
		it.details.missingResourceScopes,
		it.details.rar
	].filter(Boolean).length === 0) __eta.res += "  <li>the client is asking you to confirm previously given authorization</li>\n";
	__eta.res += "\n";
	let missingOIDCScope = new Set(it.details.missingOIDCScope);
	missingOIDCScope.delete("openid");
	missingOIDCScope.delete("offline_access");
	if (missingOIDCScope.size) {
		__eta.res += "  <li>scopes:</li>\n  <ul>\n    ";
		missingOIDCScope.forEach((scope) => {
			__eta.res += "      <li>";
			__eta.res += __eta.e(scope);
			__eta.res += "</li>\n    ";
		});
		__eta.res += "  </ul>\n";
	}
	__eta.res += "\n";
	let missingOIDCClaims = new Set(it.details.missingOIDCClaims);
	[
		"sub",
		"sid",
		"auth_time",
		"acr",
		"amr",
		"iss"
	].forEach(Set.prototype.delete.bind(missingOIDCClaims));
	if (missingOIDCClaims.size) {
		__eta.res += "  <li>claims:</li>\n  <ul>\n    ";
		missingOIDCClaims.forEach((claim) => {
			__eta.res += "      <li>";
			__eta.res += __eta.e(claim);
			__eta.res += "</li>\n    ";
		});
		__eta.res += "  </ul>\n";
	}
	__eta.res += "\n";
	if (it.details.missingResourceScopes) {
		__eta.res += "  ";
		for (const [indicator, scopes] of Object.entries(it.details.missingResourceScopes)) {
			__eta.res += "    <li>";
			__eta.res += __eta.e(indicator);
			__eta.res += ":</li>\n    <ul>\n      ";
			scopes.forEach((scope) => {
				__eta.res += "        <li>";
				__eta.res += __eta.e(scope);
				__eta.res += "</li>\n      ";
			});
			__eta.res += "    </ul>\n  ";
		}
	}
	__eta.res += "\n";
	if (it.details.rar) {
		__eta.res += "  <li>authorization_details:</li>\n  <ul>\n    ";
		for (const { type, ...detail } of it.details.rar) {
			__eta.res += "      <li><pre>";
			__eta.res += __eta.e(JSON.stringify({
				type,
				...detail
			}, null, 4));
			__eta.res += "</pre></li>\n    ";
		}
		__eta.res += "  </ul>\n";
	}
	__eta.res += "\n";
	if (it.params.scope?.includes("offline_access")) {
		__eta.res += "  <li>\n  the client is asking to have offline access to this authorization\n    ";
		if (!it.details.missingOIDCScope || !it.details.missingOIDCScope.includes("offline_access")) __eta.res += "      (which you've previously granted)\n    ";
		__eta.res += "  </li>\n";
	}
	__eta.res += "\n</ul>\n\n<form autocomplete=\"off\" action=\"";
	__eta.res += __eta.e(it.submitUrl);
	__eta.res += "\" method=\"post\">\n  <input type=\"hidden\" name=\"prompt\" value=\"consent\"/>\n  <button autofocus type=\"submit\" class=\"login login-submit\">Continue</button>\n</form>\n";
	if (__eta.layout) __eta.res = include(__eta.layout, {
		...it,
		body: __eta.res,
		...__eta.layoutData
	});
	return __eta.res;
}

// node_modules/oidc-provider/lib/views/layout.js
function layout$1(it, options) {
	const include = (template, data) => this.render(template, data, options);
	const __eta = {
		res: "",
		e: this.config.escapeFunction,
		f: this.config.filterFunction
	};
	__eta.res += "<!DOCTYPE html>\n<html >\n  <head>\n    <meta http-equiv=\"X-UA-Compatible\" content=\"IE=edge\">\n    <meta charset=\"utf-8\">\n    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1, shrink-to-fit=no\">\n    <title>Sign-in</title>\n    <style>\n      @import url(https://fonts.googleapis.com/css?family=Roboto:400,100);\n\n      body {\n        font-family: 'Roboto', sans-serif;\n        margin-top: 25px;\n        margin-bottom: 25px;\n      }\n\n      .login-card {\n        padding: 40px;\n        padding-top: 0px;\n        padding-bottom: 10px;\n        width: 274px;\n        background-color: #F7F7F7;\n        margin: 0 auto 10px;\n        border-radius: 2px;\n        box-shadow: 0px 2px 2px rgba(0, 0, 0, 0.3);\n        overflow: hidden;\n      }\n\n      .login-card + .login-card {\n        padding-top: 10px;\n      }\n\n      .login-card h1 {\n        font-weight: 100;\n        text-align: center;\n        font-size: 2.3em;\n      }\n\n      .login-card [type=submit] {\n        width: 100%;\n        display: block;\n        margin-bottom: 10px;\n        position: relative;\n      }\n\n      .login-card input[type=text], input[type=email], input[type=password] {\n        height: 44px;\n        font-size: 16px;\n        width: 100%;\n        margin-bottom: 10px;\n        -webkit-appearance: none;\n        background: #fff;\n        border: 1px solid #d9d9d9;\n        border-top: 1px solid #c0c0c0;\n        padding: 0 8px;\n        box-sizing: border-box;\n        -moz-box-sizing: border-box;\n      }\n\n      .login {\n        text-align: center;\n        font-size: 14px;\n        font-family: 'Arial', sans-serif;\n        font-weight: 700;\n        height: 36px;\n        padding: 0 8px;\n      }\n\n      .login-submit {\n        border: 0px;\n        color: #fff;\n        text-shadow: 0 1px rgba(0,0,0,0.1);\n        background-color: #4d90fe;\n      }\n\n      .login-card a {\n        text-decoration: none;\n        color: #666;\n        font-weight: 400;\n        text-align: center;\n        display: inline-block;\n        opacity: 0.6;\n      }\n\n      .login-help {\n        width: 100%;\n        text-align: center;\n        font-size: 12px;\n      }\n\n      .login-client-image img {\n        margin-bottom: 20px;\n        display: block;\n        margin-left: auto;\n        margin-right: auto;\n        width: 20%;\n      }\n\n      .login-card input[type=checkbox] {\n        margin-bottom: 10px;\n      }\n\n      .login-card label {\n        color: #999;\n      }\n\n      .grant-debug {\n        text-align: center;\n        font-family: Fixed, monospace;\n        width: 100%;\n        font-size: 12px;\n        color: #999;\n      }\n\n      .grant-debug div {\n        padding-top: 10px;\n      }\n\n      ul {\n        font-weight: 100;\n        padding-left: 1em;\n        list-style-type: circle;\n      }\n\n      li + ul, ul + li, li + li {\n        padding-top: 0.3em;\n      }\n\n      li > pre {\n        font-size: 12px;\n        font-family: Fixed, monospace;\n        margin: 0px;\n      }\n\n      button {\n        cursor: pointer;\n      }\n    </style>\n  </head>\n  <body>\n    <div class=\"login-card\">\n      <h1>";
	__eta.res += __eta.e(it.title);
	__eta.res += "</h1>\n      ";
	__eta.res += it.body;
	__eta.res += "      <div class=\"login-help\">\n        <a href=\"";
	__eta.res += __eta.e(it.abortUrl);
	__eta.res += "\">[ Cancel ]</a>\n        ";
	if (it.client.tosUri) {
		__eta.res += "          <a href=\"";
		__eta.res += __eta.e(it.client.tosUri);
		__eta.res += "\">[ Terms of Service ]</a>\n        ";
	}
	__eta.res += "        ";
	if (it.client.policyUri) {
		__eta.res += "          <a href=\"";
		__eta.res += __eta.e(it.client.policyUri);
		__eta.res += "\">[ Privacy Policy ]</a>\n        ";
	}
	__eta.res += "      </div>\n    </div>\n    <div class=\"grant-debug\">\n      <details>\n        <summary style=\"text-align: center;\">(Click to expand) DEBUG information</summary>\n        <div>\n          <strong>uid</strong>: ";
	__eta.res += __eta.e(it.uid);
	__eta.res += "        </div>\n\n        ";
	if (it.session) {
		__eta.res += "        <div>\n          SESSION <br>\n         ========= <br>\n          ";
		__eta.res += it.session;
		__eta.res += "        </div>\n        ";
	}
	__eta.res += "\n        <div>\n          PARAMS <br>\n         ======== <br>\n          ";
	__eta.res += it.dbg.params;
	__eta.res += "        </div>\n\n        <div>\n          PROMPT <br>\n         ======== <br>\n          ";
	__eta.res += it.dbg.prompt;
	__eta.res += "        </div>\n      </details>\n    </div>\n  </body>\n</html>";
	if (__eta.layout) __eta.res = include(__eta.layout, {
		...it,
		body: __eta.res,
		...__eta.layoutData
	});
	return __eta.res;
}

// node_modules/oidc-provider/lib/views/login.js
function login$1(it, options) {
	const include = (template, data) => this.render(template, data, options);
	const __eta = {
		res: "",
		e: this.config.escapeFunction,
		f: this.config.filterFunction
	};
	__eta.res += "<form autocomplete=\"off\" action=\"";
	__eta.res += __eta.e(it.submitUrl);
	__eta.res += "\" method=\"post\">\n  <input type=\"hidden\" name=\"prompt\" value=\"login\"/>\n  <input required type=\"text\" name=\"login\" placeholder=\"Enter any login\" ";
	if (!it.params.login_hint) __eta.res += "autofocus=\"on\"";
	else {
		__eta.res += " value=\"";
		__eta.res += __eta.e(it.params.login_hint);
		__eta.res += "\" ";
	}
	__eta.res += ">\n  <input required type=\"password\" name=\"password\" placeholder=\"and password\" ";
	if (it.params.login_hint) __eta.res += "autofocus=\"on\"";
	__eta.res += ">\n\n  <button type=\"submit\" class=\"login login-submit\">Sign-in</button>\n</form>";
	if (__eta.layout) __eta.res = include(__eta.layout, {
		...it,
		body: __eta.res,
		...__eta.layoutData
	});
	return __eta.res;
}

// node_modules/oidc-provider/lib/views/index.js
const ESCAPE = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	"\"": "&quot;",
	"'": "&#39;"
};
function escapeFunction(value) {
	const string = String(value);
	return /[&<>"']/.test(string) ? string.replace(/[&<>"']/g, (char) => ESCAPE[char]) : string;
}
const unsupported$1 = () => {
	throw new Error("views do not support includes or layouts");
};
const eta = {
	config: {
		escapeFunction,
		filterFunction: String
	},
	render: unsupported$1,
	renderAsync: unsupported$1
};
const render$1 = (template, locals) => template.call(eta, locals, { async: false });
const interaction = (locals) => render$1(interaction$1, locals);
const layout = (locals) => render$1(layout$1, locals);
const login = (locals) => render$1(login$1, locals);

// node_modules/oidc-provider/lib/shared/no_cache.js
async function noCache(ctx, next) {
	ctx.set("cache-control", "no-store");
	await next();
}

// node_modules/oidc-provider/lib/actions/interaction.js
const viewMap = {
	login,
	interaction
};
const { interactions: { url: defaultInteractionUri } } = defaults$1;
const keys = /* @__PURE__ */ new Set();
const dbg = (obj) => querystring.stringify(Object.entries(obj).reduce((acc, [key, value]) => {
	keys.add(key);
	acc[key] = inspect(value, { depth: null });
	return acc;
}, {}), "<br/>", ": ", { encodeURIComponent(value) {
	return keys.has(value) ? `<strong>${value}</strong>` : htmlSafe(value);
} });
function initialize(provider) {
	warn("a quick start development-only feature devInteractions is enabled, you are expected to disable these interactions and provide your own");
	const configuration = get$2(provider).configuration.interactions;
	if (configuration.url !== defaultInteractionUri) warn("you've configured your own interactions.url but devInteractions are still enabled, your configuration is not in effect");
	configuration.url = (ctx, interaction) => new URL(ctx.oidc.urlFor("interaction", { uid: interaction.uid })).pathname;
}
const render = [noCache, async function interactionRender(ctx) {
	const { provider } = ctx.oidc;
	const { uid, prompt, params, session } = await provider.interactionDetails(ctx.req, ctx.res);
	const client = await provider.Client.find(params.client_id);
	let view;
	let title;
	switch (prompt.name) {
		case "login":
			view = "login";
			title = "Sign-in";
			break;
		case "consent":
			view = "interaction";
			title = "Authorize";
			break;
		default: ctx.throw(501, "not implemented");
	}
	const locals = {
		client,
		uid,
		abortUrl: ctx.oidc.urlFor("abort", { uid }),
		submitUrl: ctx.oidc.urlFor("submit", { uid }),
		details: prompt.details,
		prompt: prompt.name,
		params,
		title,
		session: session ? dbg(session) : void 0,
		dbg: {
			params: dbg(params),
			prompt: dbg(prompt)
		}
	};
	locals.body = viewMap[view](locals);
	ctx.type = "html";
	ctx.body = layout(locals);
}];
const abort = [noCache, function interactionAbort(ctx) {
	const { provider } = ctx.oidc;
	return provider.interactionFinished(ctx.req, ctx.res, {
		error: "access_denied",
		error_description: "End-User aborted interaction"
	}, { mergeWithLastSubmission: false });
}];
const submit = [
	noCache,
	urlencoded,
	async function interactionSubmit(ctx) {
		const { provider } = ctx.oidc;
		const { prompt: { name, details }, grantId, session, params } = await provider.interactionDetails(ctx.req, ctx.res);
		switch (ctx.oidc.body.prompt) {
			case "login":
				strict.equal(name, "login");
				await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: ctx.oidc.body.login } }, { mergeWithLastSubmission: false });
				break;
			case "consent": {
				strict.equal(name, "consent");
				let grant;
				if (grantId) grant = await provider.Grant.find(grantId);
				else grant = new provider.Grant({
					accountId: session.accountId,
					clientId: params.client_id
				});
				if (details.missingOIDCScope) grant.addOIDCScope(details.missingOIDCScope.join(" "));
				if (details.missingOIDCClaims) grant.addOIDCClaims(details.missingOIDCClaims);
				if (details.missingResourceScopes) for (const [indicator, scope] of Object.entries(details.missingResourceScopes)) grant.addResourceScope(indicator, scope.join(" "));
				if (details.rar) for (const detail of details.rar) grant.addRar(detail);
				const result = { consent: { grantId: await grant.save() } };
				await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: true });
				break;
			}
			default: ctx.throw(501, "not implemented");
		}
	}
];

// node_modules/oidc-provider/lib/helpers/configuration_result.js
function invalid$2(path, expected) {
	return /* @__PURE__ */ new TypeError(`${path} must ${expected}`);
}
function ignoreThenableRejection(value) {
	if (value !== null && (typeof value === "object" || typeof value === "function")) {
		if (typeof value.then === "function") Promise.resolve(value).catch(() => {});
	}
}
function boolean(value, path) {
	if (typeof value !== "boolean") {
		ignoreThenableRejection(value);
		throw invalid$2(path, "return a Boolean");
	}
	return value;
}
function positiveInteger(value, path) {
	if (!Number.isSafeInteger(value) || value <= 0) {
		ignoreThenableRejection(value);
		throw invalid$2(path, "return a positive integer");
	}
	return value;
}
function account(value, path = "findAccount") {
	if (value === void 0) return value;
	if (value === null || typeof value !== "object" || typeof value.accountId !== "string" || value.accountId.length === 0 || typeof value.claims !== "function") throw invalid$2(path, "return undefined or an object with a non-empty accountId and a claims function");
	return value;
}
function resourceServer(value, path = "features.resourceIndicators.getResourceServerInfo") {
	if (value === null || typeof value !== "object" || Array.isArray(value)) throw invalid$2(path, "return an object");
	if (typeof value.scope !== "string") throw invalid$2(path, "return an object with a scope string");
	if (value.audience !== void 0 && typeof value.audience !== "string") throw invalid$2(path, "return an object whose audience is a string when provided");
	if (value.accessTokenTTL !== void 0) positiveInteger(value.accessTokenTTL, `${path}.accessTokenTTL`);
	if (value.accessTokenFormat !== void 0 && !["opaque", "jwt"].includes(value.accessTokenFormat)) throw invalid$2(path, "return an object whose accessTokenFormat is \"opaque\" or \"jwt\" when provided");
	return value;
}
function extraTokenClaims(value, path = "extraTokenClaims") {
	if (value !== void 0 && !is_plain_object_default(value)) throw invalid$2(path, "return undefined or a plain object");
	return value;
}

// node_modules/oidc-provider/lib/shared/cors.js
const list = (value) => Array.isArray(value) ? value.join(",") : value;
function corsMiddleware({ allowMethods, maxAge, exposeHeaders }) {
	const methods = list(allowMethods) ?? "GET,HEAD,PUT,POST,DELETE,PATCH";
	const expose = typeof exposeHeaders === "function" ? exposeHeaders : list(exposeHeaders);
	const age = maxAge ? String(maxAge) : void 0;
	return async (ctx, next) => {
		ctx.vary("Origin");
		const origin = ctx.get("Origin") || "*";
		if (ctx.method !== "OPTIONS") {
			ctx.set("Access-Control-Allow-Origin", origin);
			const headers = typeof expose === "function" ? list(expose(ctx)) : expose;
			if (headers) ctx.set("Access-Control-Expose-Headers", headers);
			return next();
		}
		if (!ctx.get("Access-Control-Request-Method")) return next();
		ctx.set("Access-Control-Allow-Origin", origin);
		if (age) ctx.set("Access-Control-Max-Age", age);
		if (methods) ctx.set("Access-Control-Allow-Methods", methods);
		const allowHeaders = ctx.get("Access-Control-Request-Headers");
		if (allowHeaders) ctx.set("Access-Control-Allow-Headers", allowHeaders);
		ctx.status = 204;
	};
}
function checkClientCORS(ctx, client) {
	const origin = ctx.get("Origin");
	const { clientBasedCORS } = get$2(ctx.oidc.provider).configuration;
	if (!boolean(clientBasedCORS(ctx, origin, client), "clientBasedCORS")) {
		ctx.remove("Access-Control-Allow-Origin");
		throw new InvalidRequest(`origin ${origin} not allowed for client: ${client.clientId}`);
	}
}
var cors_default = ({ clientBased = false, ...options }) => {
	const builtin = corsMiddleware(options);
	return async (ctx, next) => {
		if (Object.keys(ctx.response.headers).find((x) => x.toLowerCase().startsWith("access-control-"))) return next();
		ctx.vary("Origin");
		if (ctx.method === "OPTIONS" || !clientBased || !ctx.get("Origin")) return builtin(ctx, next);
		ctx.oidc.once("assign.client", checkClientCORS);
		return builtin(ctx, next);
	};
};

// node_modules/oidc-provider/lib/helpers/validate_presence.js
function validatePresence(ctx, ...required) {
	const { params } = ctx.oidc;
	const missing = required.map((param) => {
		if (params[param] === void 0) return param;
	}).filter(Boolean);
	if (missing.length) throw new InvalidRequest(`missing required ${pluralize("parameter", missing.length)} ${formatList(missing)}`);
}

// node_modules/oidc-provider/lib/helpers/pkce_format.js
const check$1 = /[^\w.\-~]/;
var pkce_format_default = (input, param) => {
	if (input.length < 43) throw new InvalidRequest(`${param} must be a string with a minimum length of 43 characters`);
	if (input.length > 128) throw new InvalidRequest(`${param} must be a string with a maximum length of 128 characters`);
	if (check$1.test(input)) throw new InvalidRequest(`${param} contains invalid characters`);
};

// node_modules/oidc-provider/lib/helpers/constant_equals.js
function paddedBuffer(string, length) {
	const buffer = Buffer.alloc(length, void 0, "utf8");
	buffer.write(string);
	return buffer;
}
function constantEquals(a, b, minComp = 0) {
	if (!Number.isSafeInteger(minComp)) throw new TypeError("minComp must be an Integer");
	if (typeof a !== "string" || typeof b !== "string") throw new TypeError("arguments must be strings");
	const length = Math.max(Buffer.byteLength(a), Buffer.byteLength(b), minComp);
	return timingSafeEqual(paddedBuffer(a, length), paddedBuffer(b, length));
}

// node_modules/oidc-provider/lib/helpers/pkce.js
function checkPKCE$1(verifier, challenge, method) {
	if (verifier) pkce_format_default(verifier, "code_verifier");
	if (verifier || challenge) try {
		let expected = verifier;
		if (!expected) throw new Error("code_verifier must be provided");
		if (method === "S256") expected = crypto$1.hash("sha256", expected, "base64url");
		else throw new Error("unsupported code_challenge_method");
		if (!constantEquals(challenge, expected)) throw new Error("code_verifier does not match code_challenge");
	} catch (cause) {
		throw new InvalidGrant$1({ cause });
	}
}

// node_modules/jose/dist/webapi/lib/buffer_utils.js
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: !0 });
const UINT32_RANGE = 2 ** 32;
function concat(...buffers) {
	const size = buffers.reduce((acc, { length }) => acc + length, 0), buf = new Uint8Array(size);
	let i = 0;
	for (const buffer of buffers) buf.set(buffer, i), i += buffer.length;
	return buf;
}
function writeUInt32BE(buf, value, offset) {
	if (value < 0 || value >= UINT32_RANGE) throw new RangeError(`value must be >= 0 and <= ${UINT32_RANGE - 1}. Received ${value}`);
	buf.set([
		value >>> 24,
		value >>> 16,
		value >>> 8,
		value & 255
	], offset);
}
function uint64be(value) {
	const high = Math.floor(value / UINT32_RANGE), low = value % UINT32_RANGE, buf = /* @__PURE__ */ new Uint8Array(8);
	return writeUInt32BE(buf, high, 0), writeUInt32BE(buf, low, 4), buf;
}
function uint32be(value) {
	const buf = /* @__PURE__ */ new Uint8Array(4);
	return writeUInt32BE(buf, value), buf;
}
const NON_ASCII = /[^\x00-\x7f]/;
function encode$2(string) {
	if (typeof string == "string" && string.length >= 128) {
		if (NON_ASCII.test(string)) throw new TypeError("non-ASCII string encountered in encode()");
		return encoder.encode(string);
	}
	const bytes = new Uint8Array(string.length);
	for (let i = 0; i < string.length; i++) {
		const code = string.charCodeAt(i);
		if (code > 127) throw new TypeError("non-ASCII string encountered in encode()");
		bytes[i] = code;
	}
	return bytes;
}
function encodeBase64(input, url = !1) {
	if (Uint8Array.prototype.toBase64) return input.toBase64({
		alphabet: url ? "base64url" : "base64",
		omitPadding: url
	});
	const CHUNK_SIZE = 32768, arr = [];
	for (let i = 0; i < input.length; i += CHUNK_SIZE) arr.push(String.fromCharCode.apply(null, input.subarray(i, i + CHUNK_SIZE)));
	const encoded = btoa(arr.join(""));
	return url ? encoded.replace(/=/g, "").replace(/\+/g, "-").replace(/\//g, "_") : encoded;
}
function decodeBase64(encoded, url = !1) {
	if (Uint8Array.fromBase64) return Uint8Array.fromBase64(encoded, { alphabet: url ? "base64url" : "base64" });
	if (url) {
		if (encoded.includes("+") || encoded.includes("/")) throw new TypeError("Invalid base64url");
		encoded = encoded.replace(/-/g, "+").replace(/_/g, "/");
	}
	const binary = atob(encoded), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
	return bytes;
}
async function digest(algorithm, data) {
	const subtleDigest = `SHA-${algorithm.slice(-3)}`;
	return new Uint8Array(await crypto.subtle.digest(subtleDigest, data));
}

// node_modules/jose/dist/webapi/util/errors.js
var errors_exports = /* @__PURE__ */ __exportAll({
	JOSEAlgNotAllowed: () => JOSEAlgNotAllowed,
	JOSEError: () => JOSEError,
	JOSENotSupported: () => JOSENotSupported,
	JWEDecryptionFailed: () => JWEDecryptionFailed$1,
	JWEInvalid: () => JWEInvalid,
	JWKInvalid: () => JWKInvalid,
	JWKSInvalid: () => JWKSInvalid,
	JWKSMultipleMatchingKeys: () => JWKSMultipleMatchingKeys,
	JWKSNoMatchingKey: () => JWKSNoMatchingKey$1,
	JWKSTimeout: () => JWKSTimeout,
	JWSInvalid: () => JWSInvalid,
	JWSSignatureVerificationFailed: () => JWSSignatureVerificationFailed$1,
	JWTClaimValidationFailed: () => JWTClaimValidationFailed,
	JWTExpired: () => JWTExpired,
	JWTInvalid: () => JWTInvalid
});
var JOSEError = class extends Error {
	static code = "ERR_JOSE_GENERIC";
	code = "ERR_JOSE_GENERIC";
	constructor(message, options) {
		super(message, options), this.name = this.constructor.name, Error.captureStackTrace?.(this, this.constructor);
	}
};
var JWTClaimValidationFailed = class extends JOSEError {
	static code = "ERR_JWT_CLAIM_VALIDATION_FAILED";
	code = "ERR_JWT_CLAIM_VALIDATION_FAILED";
	claim;
	reason;
	payload;
	constructor(message, payload, claim = "unspecified", reason = "unspecified") {
		super(message, { cause: {
			claim,
			reason,
			payload
		} }), this.claim = claim, this.reason = reason, this.payload = payload;
	}
};
var JWTExpired = class extends JOSEError {
	static code = "ERR_JWT_EXPIRED";
	code = "ERR_JWT_EXPIRED";
	claim;
	reason;
	payload;
	constructor(message, payload, claim = "unspecified", reason = "unspecified") {
		super(message, { cause: {
			claim,
			reason,
			payload
		} }), this.claim = claim, this.reason = reason, this.payload = payload;
	}
};
var JOSEAlgNotAllowed = class extends JOSEError {
	static code = "ERR_JOSE_ALG_NOT_ALLOWED";
	code = "ERR_JOSE_ALG_NOT_ALLOWED";
};
var JOSENotSupported = class extends JOSEError {
	static code = "ERR_JOSE_NOT_SUPPORTED";
	code = "ERR_JOSE_NOT_SUPPORTED";
};
var JWEDecryptionFailed$1 = class extends JOSEError {
	static code = "ERR_JWE_DECRYPTION_FAILED";
	code = "ERR_JWE_DECRYPTION_FAILED";
	constructor(message = "decryption operation failed", options) {
		super(message, options);
	}
};
var JWEInvalid = class extends JOSEError {
	static code = "ERR_JWE_INVALID";
	code = "ERR_JWE_INVALID";
};
var JWSInvalid = class extends JOSEError {
	static code = "ERR_JWS_INVALID";
	code = "ERR_JWS_INVALID";
};
var JWTInvalid = class extends JOSEError {
	static code = "ERR_JWT_INVALID";
	code = "ERR_JWT_INVALID";
};
var JWKInvalid = class extends JOSEError {
	static code = "ERR_JWK_INVALID";
	code = "ERR_JWK_INVALID";
};
var JWKSInvalid = class extends JOSEError {
	static code = "ERR_JWKS_INVALID";
	code = "ERR_JWKS_INVALID";
};
var JWKSNoMatchingKey$1 = class extends JOSEError {
	static code = "ERR_JWKS_NO_MATCHING_KEY";
	code = "ERR_JWKS_NO_MATCHING_KEY";
	constructor(message = "no applicable key found in the JSON Web Key Set", options) {
		super(message, options);
	}
};
var JWKSMultipleMatchingKeys = class extends JOSEError {
	[Symbol.asyncIterator] = async function* () {};
	static code = "ERR_JWKS_MULTIPLE_MATCHING_KEYS";
	code = "ERR_JWKS_MULTIPLE_MATCHING_KEYS";
	constructor(message = "multiple matching keys found in the JSON Web Key Set", options) {
		super(message, options);
	}
};
var JWKSTimeout = class extends JOSEError {
	static code = "ERR_JWKS_TIMEOUT";
	code = "ERR_JWKS_TIMEOUT";
	constructor(message = "request timed out", options) {
		super(message, options);
	}
};
var JWSSignatureVerificationFailed$1 = class extends JOSEError {
	static code = "ERR_JWS_SIGNATURE_VERIFICATION_FAILED";
	code = "ERR_JWS_SIGNATURE_VERIFICATION_FAILED";
	constructor(message = "signature verification failed", options) {
		super(message, options);
	}
};

// node_modules/jose/dist/webapi/util/base64url.js
const invalid$1 = "The input to be decoded is not correctly encoded.";
function decode$1(input) {
	try {
		return decodeBase64(typeof input == "string" ? input : decoder.decode(input), !0);
	} catch (cause) {
		throw new TypeError(invalid$1, { cause });
	}
}
function encode$1(input) {
	return encodeBase64(typeof input == "string" ? encoder.encode(input) : input, !0);
}

// node_modules/jose/dist/webapi/lib/validate.js
function assertUint8Array(input, label) {
	if (!(input instanceof Uint8Array)) throw new TypeError(`${label} must be an instance of Uint8Array`);
}
function isObject(input) {
	if (typeof input != "object" || input === null || Object.prototype.toString.call(input) !== "[object Object]") return !1;
	const prototype = Object.getPrototypeOf(input);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}
function isDisjoint(...headers) {
	const parameters = /* @__PURE__ */ new Set();
	for (const header of headers) if (header) for (const parameter of Object.keys(header)) {
		if (parameters.has(parameter)) return !1;
		parameters.add(parameter);
	}
	return !0;
}
function assertNotSet(value, name) {
	if (value !== void 0) throw new TypeError(`${name} can only be called once`);
}
function decodeBase64url(value, label, ErrorClass) {
	try {
		return decode$1(value);
	} catch (cause) {
		throw new ErrorClass(`Failed to base64url decode the ${label}`, { cause });
	}
}
function encodeAsciiMember(value, label, ErrorClass) {
	try {
		return encode$2(value);
	} catch (cause) {
		throw new ErrorClass(`The ${label} is not a valid base64url string`, { cause });
	}
}
function parseJoseHeader(encodedProtectedHeader, ErrorClass, message) {
	let parsed;
	try {
		parsed = JSON.parse(strictDecoder.decode(decode$1(encodedProtectedHeader)));
	} catch (cause) {
		throw new ErrorClass(message, { cause });
	}
	if (!isObject(parsed)) throw new ErrorClass(message);
	return parsed;
}
const JWS_RECOGNIZED = {
	__proto__: null,
	b64: !0
};
const JWE_RECOGNIZED = { __proto__: null };
function validateAlgorithms(option, algorithms) {
	if (algorithms !== void 0 && (!Array.isArray(algorithms) || algorithms.some((s) => typeof s != "string"))) throw new TypeError(`"${option}" option must be an array of strings`);
	return algorithms === void 0 ? void 0 : new Set(algorithms);
}
function validateCritDuplicates(Err, protectedHeader) {
	const { crit } = protectedHeader ?? {};
	if (Array.isArray(crit) && new Set(crit).size !== crit.length) throw new Err("\"crit\" (Critical) Header Parameter MUST NOT contain duplicate values");
}
function validateCrit(Err, recognizedDefault, recognizedOption, protectedHeader, joseHeader) {
	if (joseHeader.crit !== void 0 && protectedHeader?.crit === void 0) throw new Err("\"crit\" (Critical) Header Parameter MUST be integrity protected");
	if (!protectedHeader || protectedHeader.crit === void 0) return [];
	if (!Array.isArray(protectedHeader.crit) || protectedHeader.crit.length === 0 || protectedHeader.crit.some((input) => typeof input != "string" || input.length === 0)) throw new Err("\"crit\" (Critical) Header Parameter MUST be an array of non-empty strings when present");
	const recognized = recognizedOption === void 0 ? recognizedDefault : {
		__proto__: null,
		...recognizedOption,
		...recognizedDefault
	};
	for (const parameter of protectedHeader.crit) {
		if (!(parameter in recognized)) throw new JOSENotSupported(`Extension Header Parameter "${parameter}" is not recognized`);
		if (!Object.hasOwn(joseHeader, parameter) || joseHeader[parameter] === void 0) throw new Err(`Extension Header Parameter "${parameter}" is missing`);
		if (recognized[parameter] && (!Object.hasOwn(protectedHeader, parameter) || protectedHeader[parameter] === void 0)) throw new Err(`Extension Header Parameter "${parameter}" MUST be integrity protected`);
	}
	return protectedHeader.crit;
}
function validateB64(protectedHeader, extensions) {
	if (extensions.includes("b64")) {
		const b64 = protectedHeader.b64;
		if (typeof b64 != "boolean") throw new JWSInvalid("The \"b64\" (base64url-encode payload) Header Parameter must be a boolean");
		return b64;
	}
	return !0;
}
function serializeJoseHeader(Err, header) {
	let serialized, parsed;
	try {
		serialized = JSON.stringify(header), parsed = JSON.parse(serialized);
	} catch (cause) {
		throw new Err("JOSE Header is not valid JSON", { cause });
	}
	if (!isObject(parsed)) throw new Err("JOSE Header is not a JSON object");
	return [parsed, serialized];
}

// node_modules/jose/dist/webapi/lib/key.js
const tag = (key) => key[Symbol.toStringTag];
const jwkMatchesOp = (entry, key, usage) => {
	const { alg } = entry;
	if (key.use !== void 0) {
		const expected = usage === "sign" || usage === "verify" ? "sig" : "enc";
		if (key.use !== expected) throw new TypeError(`Invalid key for this operation, its "use" must be "${expected}" when present`);
	}
	if (key.alg !== void 0 && key.alg !== alg) throw new TypeError(`Invalid key for this operation, its "alg" must be "${alg}" when present`);
	if (Array.isArray(key.key_ops)) {
		const expectedKeyOp = usage === "encrypt" || usage === "decrypt" ? entry.ops?.[usage === "encrypt" ? 0 : 1] : usage;
		if (expectedKeyOp && !key.key_ops.includes(expectedKeyOp)) throw new TypeError(`Invalid key for this operation, its "key_ops" must include "${expectedKeyOp}" when present`);
	}
};
async function prepareKey(entry, key, usage) {
	const { alg, secret } = entry, requiresPrivateKey = usage === "decrypt" || usage === "sign";
	if (secret && key instanceof Uint8Array) return key;
	let normalized, keyObject;
	if (isObject(key)) {
		if (normalized = normalizeJwk(key), typeof normalized.kty != "string") throw invalidKeyType(alg, key, secret);
		if (!(secret ? normalized.kty === "oct" && typeof normalized.k == "string" : normalized.kty !== "oct" && (requiresPrivateKey ? normalized.kty === "AKP" && typeof normalized.priv == "string" || typeof normalized.d == "string" : normalized.d === void 0 && normalized.priv === void 0))) throw new TypeError(secret ? "JSON Web Key for symmetric algorithms must have JWK \"kty\" (Key Type) equal to \"oct\" and the JWK \"k\" (Key Value) present" : `JSON Web Key for this operation must be a ${requiresPrivateKey ? "private" : "public"} JWK`);
		if (jwkMatchesOp(entry, normalized, usage), normalized.kty === "oct") return decode$1(normalized.k);
		if (!Object.isFrozen(key)) {
			const { key_ops } = key;
			Array.isArray(key_ops) && Object.freeze(key_ops), Object.freeze(key);
		}
	} else {
		if (!isKeyLike(key)) throw invalidKeyType(alg, key, secret);
		const expectedType = secret ? "secret" : requiresPrivateKey ? "private" : "public";
		if (key.type !== expectedType && (secret || [
			"secret",
			"public",
			"private"
		].includes(key.type))) throw new TypeError(`${tag(key)} instances must be of type "${expectedType}" for the ${alg} algorithm`);
		if (isCryptoKey(key)) return key;
		if (keyObject = key, keyObject.type === "secret") return keyObject.export();
	}
	cache$2 ||= /* @__PURE__ */ new WeakMap();
	const cacheKey = key;
	let cached = cache$2.get(cacheKey);
	if (cached?.[alg]) return cached[alg];
	if (cached || cache$2.set(cacheKey, cached = {}), keyObject && typeof keyObject.toCryptoKey == "function") {
		const isPublic = keyObject.type === "public", crv = nist[keyObject.asymmetricKeyDetails?.namedCurve], params = entry.resolve?.({
			crv,
			asymmetricKeyType: keyObject.asymmetricKeyType
		}) ?? entry.subtle;
		return cached[alg] = keyObject.toCryptoKey(params, isPublic, entry.usages[isPublic ? 0 : 1]);
	}
	return normalized ??= keyObject.export({ format: "jwk" }), normalized.alg = alg, cached[alg] = await jwkToKey(entry, normalized);
}
let cache$2;
const nist = {
	__proto__: null,
	prime256v1: "P-256",
	secp384r1: "P-384",
	secp521r1: "P-521"
};
function assertCryptoKey(key) {
	if (!isCryptoKey(key)) throw new Error("CryptoKey instance expected");
}
const isCryptoKey = (key) => {
	if (key?.[Symbol.toStringTag] === "CryptoKey") return !0;
	try {
		return key instanceof CryptoKey;
	} catch {
		return !1;
	}
};
const isKeyObject = (key) => key?.[Symbol.toStringTag] === "KeyObject";
const isKeyLike = (key) => isCryptoKey(key) || isKeyObject(key);
function message(msg, actual, ...types) {
	if (types.length > 2) {
		const last = types.pop();
		msg += `one of type ${types.join(", ")}, or ${last}.`;
	} else types.length === 2 ? msg += `one of type ${types[0]} or ${types[1]}.` : msg += `of type ${types[0]}.`;
	return actual == null ? msg += ` Received ${actual}` : typeof actual == "function" && actual.name ? msg += ` Received function ${actual.name}` : typeof actual == "object" && actual != null && actual.constructor?.name && (msg += ` Received an instance of ${actual.constructor.name}`), msg;
}
const invalidKeyInput = (actual, ...types) => message("Key must be ", actual, ...types);
function invalidKeyType(alg, actual, secret) {
	const types = [
		"CryptoKey",
		"KeyObject",
		"JSON Web Key"
	];
	return secret && types.push("Uint8Array"), new TypeError(message(`Key for the ${alg} algorithm must be `, actual, ...types));
}
const unusable = (name, prop = "algorithm.name") => /* @__PURE__ */ new TypeError(`CryptoKey does not support this operation, its ${prop} must be ${name}`);
function checkUsage(key, usage) {
	if (usage && !key.usages.includes(usage)) throw new TypeError(`CryptoKey does not support this operation, its usages must include ${usage}.`);
}
function checkModulusLength(alg, key) {
	const { modulusLength } = key.algorithm;
	if (typeof modulusLength != "number" || modulusLength < 2048) throw new TypeError(`${alg} requires key modulusLength to be 2048 bits or larger`);
}
function checkCryptoKey(key, expected, usage) {
	const algorithm = key.algorithm;
	if (algorithm.name !== expected.name) throw unusable(expected.name);
	if (expected.hash && algorithm.hash?.name !== expected.hash) throw unusable(expected.hash, "algorithm.hash");
	if (expected.namedCurve && algorithm.namedCurve !== expected.namedCurve) throw unusable(expected.namedCurve, "algorithm.namedCurve");
	if (expected.length !== void 0 && algorithm.length !== expected.length) throw unusable(expected.length, "algorithm.length");
	checkUsage(key, usage);
}
function snapshotJwk(jwk) {
	return {
		__proto__: null,
		...jwk
	};
}
function normalizeJwk(jwk) {
	const normalized = snapshotJwk(jwk);
	if (normalized.ext !== void 0 && typeof normalized.ext != "boolean") throw new TypeError("\"ext\" (Extractable) Parameter must be a boolean");
	if (normalized.key_ops !== void 0) {
		const value = normalized.key_ops, keyOps = Array.isArray(value) ? [...value] : void 0;
		if (!keyOps || keyOps.some((operation) => typeof operation != "string") || new Set(keyOps).size !== keyOps.length) throw new TypeError("\"key_ops\" (Key Operations) Parameter must be an array of unique strings");
		normalized.key_ops = keyOps;
	}
	return normalized;
}
function validateExtractableOption(extractable) {
	if (extractable !== void 0 && typeof extractable != "boolean") throw new TypeError("\"extractable\" option must be a boolean");
	return extractable;
}
async function jwkToKey(entry, jwk, extractable) {
	if (!entry.kty.includes(jwk.kty)) throw new JOSENotSupported("Invalid or unsupported JWK \"alg\" (Algorithm) Parameter value");
	const algorithm = entry.resolve?.({
		kty: jwk.kty,
		crv: jwk.crv
	}) ?? entry.subtle, isPrivate = !!(jwk.d || jwk.priv), keyData = {
		...jwk,
		ext: extractable ?? jwk.ext
	};
	return keyData.kty !== "AKP" && delete keyData.alg, delete keyData.use, crypto.subtle.importKey("jwk", keyData, algorithm, keyData.ext ?? !isPrivate, jwk.key_ops ?? entry.usages[isPrivate ? 1 : 0]);
}
async function rawKey(key, expected, usage, extractable = !1) {
	return key instanceof Uint8Array && (key = await crypto.subtle.importKey("raw", key, expected, extractable, [usage])), checkCryptoKey(key, expected, usage), key;
}

// node_modules/jose/dist/webapi/lib/content_encryption.js
const generateCek = (enc) => crypto.getRandomValues(new Uint8Array(enc.cekBits >> 3));
function checkCekLength(cek, expected) {
	const actual = cek.byteLength << 3;
	if (actual !== expected) throw new JWEInvalid(`Invalid Content Encryption Key length. Expected ${expected} bits, got ${actual} bits`);
}
const generateIv = (enc) => crypto.getRandomValues(new Uint8Array(enc.ivBits >> 3));
function checkIvLength(enc, iv) {
	if (iv.length << 3 !== enc.ivBits) throw new JWEInvalid("Invalid Initialization Vector length");
}
async function cbcKeySetup(enc, cek, usage) {
	if (!(cek instanceof Uint8Array)) throw new TypeError(invalidKeyInput(cek, "Uint8Array"));
	const keyLengthBits = enc.cekBits >> 1;
	return [
		await crypto.subtle.importKey("raw", cek.subarray(keyLengthBits >> 3), "AES-CBC", !1, [usage]),
		await crypto.subtle.importKey("raw", cek.subarray(0, keyLengthBits >> 3), {
			hash: `SHA-${keyLengthBits << 1}`,
			name: "HMAC"
		}, !1, ["sign"]),
		keyLengthBits
	];
}
async function cbcHmacTag(macKey, macData, keyLengthBits) {
	return new Uint8Array((await crypto.subtle.sign("HMAC", macKey, macData)).slice(0, keyLengthBits >> 3));
}
async function cbcEncrypt(enc, plaintext, cek, iv, aad) {
	const [encKey, macKey, keyLengthBits] = await cbcKeySetup(enc, cek, "encrypt"), ciphertext = new Uint8Array(await crypto.subtle.encrypt({
		iv,
		name: "AES-CBC"
	}, encKey, plaintext)), al = uint64be(aad.length * 8);
	return {
		ciphertext,
		tag: await cbcHmacTag(macKey, concat(aad, iv, ciphertext, al), keyLengthBits),
		iv
	};
}
async function timingSafeEqual$1(a, b) {
	const algorithm = {
		name: "HMAC",
		hash: "SHA-256"
	}, key = await crypto.subtle.generateKey(algorithm, !1, ["sign", "verify"]), aHmac = await crypto.subtle.sign(algorithm, key, a);
	return crypto.subtle.verify(algorithm, key, aHmac, b);
}
async function cbcDecrypt(enc, cek, ciphertext, iv, tag, aad) {
	const [encKey, macKey, keyLengthBits] = await cbcKeySetup(enc, cek, "decrypt"), al = uint64be(aad.length * 8), expectedTag = await cbcHmacTag(macKey, concat(aad, iv, ciphertext, al), keyLengthBits);
	try {
		if (await timingSafeEqual$1(tag, expectedTag)) return new Uint8Array(await crypto.subtle.decrypt({
			iv,
			name: "AES-CBC"
		}, encKey, ciphertext));
	} catch {}
	throw new JWEDecryptionFailed$1();
}
async function encrypt$1(enc, plaintext, cek, iv, aad) {
	if (!isCryptoKey(cek) && !(cek instanceof Uint8Array)) throw new TypeError(invalidKeyInput(cek, "CryptoKey", "KeyObject", "Uint8Array", "JSON Web Key"));
	if (iv ? checkIvLength(enc, iv) : iv = generateIv(enc), cek instanceof Uint8Array && checkCekLength(cek, enc.cekBits), enc.cbc) return cbcEncrypt(enc, plaintext, cek, iv, aad);
	const encKey = await rawKey(cek, enc.subtle, "encrypt"), encrypted = new Uint8Array(await crypto.subtle.encrypt({
		additionalData: aad,
		iv,
		name: "AES-GCM",
		tagLength: 128
	}, encKey, plaintext));
	return {
		ciphertext: encrypted.subarray(0, -16),
		tag: encrypted.subarray(-16),
		iv
	};
}
async function decrypt$1(enc, cek, ciphertext, iv, tag, aad) {
	if (!isCryptoKey(cek) && !(cek instanceof Uint8Array)) throw new TypeError(invalidKeyInput(cek, "CryptoKey", "KeyObject", "Uint8Array", "JSON Web Key"));
	if (!iv) throw new JWEInvalid("JWE Initialization Vector missing");
	if (!tag) throw new JWEInvalid("JWE Authentication Tag missing");
	if (!enc.cbc && tag.length !== 16) throw new JWEInvalid("Invalid Authentication Tag length");
	if (checkIvLength(enc, iv), cek instanceof Uint8Array && checkCekLength(cek, enc.cekBits), enc.cbc) return cbcDecrypt(enc, cek, ciphertext, iv, tag, aad);
	const encKey = await rawKey(cek, enc.subtle, "decrypt");
	try {
		return new Uint8Array(await crypto.subtle.decrypt({
			additionalData: aad,
			iv,
			name: "AES-GCM",
			tagLength: 128
		}, encKey, concat(ciphertext, tag)));
	} catch {
		throw new JWEDecryptionFailed$1();
	}
}

// node_modules/jose/dist/webapi/lib/key_descriptor.js
function table(entries) {
	const out = { __proto__: null };
	for (const alg in entries) out[alg] = {
		...entries[alg],
		alg
	};
	return out;
}

// node_modules/jose/dist/webapi/lib/jwe_algorithms.js
const wrap = [["encrypt", "wrapKey"], ["decrypt", "unwrapKey"]];
const derive = [[], ["deriveBits"]];
const none = [[], []];
function rsaes(bits) {
	return {
		kty: ["RSA"],
		mode: "key-encryption",
		subtle: {
			name: "RSA-OAEP",
			hash: `SHA-${bits}`
		},
		usages: wrap,
		ops: ["wrapKey", "unwrapKey"]
	};
}
function ecdh(mode) {
	return {
		kty: ["EC", "OKP"],
		mode,
		subtle: { name: "ECDH" },
		resolve: ({ kty, crv, asymmetricKeyType }) => {
			if (crv === "X25519" || asymmetricKeyType === "x25519") return { name: "X25519" };
			if (kty === "OKP") throw new JOSENotSupported("Invalid or unsupported JWK \"alg\" (Algorithm) Parameter value");
			return {
				name: "ECDH",
				namedCurve: crv
			};
		},
		usages: derive,
		ops: [void 0, "deriveBits"]
	};
}
function aeskw(bits, gcm = !1) {
	return {
		kty: ["oct"],
		mode: "key-wrapping",
		secret: !0,
		subtle: {
			name: gcm ? "AES-GCM" : "AES-KW",
			length: bits
		},
		usages: none,
		ops: gcm ? ["encrypt", "decrypt"] : ["wrapKey", "unwrapKey"]
	};
}
function pbes2() {
	return {
		kty: ["oct"],
		mode: "key-wrapping",
		secret: !0,
		subtle: { name: "PBKDF2" },
		usages: none,
		ops: ["deriveBits", "deriveBits"]
	};
}
const JWE = table({
	dir: {
		kty: ["oct"],
		mode: "direct-encryption",
		secret: !0,
		subtle: { name: "AES-GCM" },
		usages: none,
		ops: ["encrypt", "decrypt"]
	},
	"RSA-OAEP": rsaes(1),
	"RSA-OAEP-256": rsaes(256),
	"RSA-OAEP-384": rsaes(384),
	"RSA-OAEP-512": rsaes(512),
	"ECDH-ES": ecdh("direct-key-agreement"),
	"ECDH-ES+A128KW": ecdh("key-agreement-with-key-wrapping"),
	"ECDH-ES+A192KW": ecdh("key-agreement-with-key-wrapping"),
	"ECDH-ES+A256KW": ecdh("key-agreement-with-key-wrapping"),
	A128KW: aeskw(128),
	A192KW: aeskw(192),
	A256KW: aeskw(256),
	A128GCMKW: aeskw(128, !0),
	A192GCMKW: aeskw(192, !0),
	A256GCMKW: aeskw(256, !0),
	"PBES2-HS256+A128KW": pbes2(),
	"PBES2-HS384+A192KW": pbes2(),
	"PBES2-HS512+A256KW": pbes2()
});
const contentOps = ["encrypt", "decrypt"];
function contentEncryption(bits, cbc = !1) {
	return {
		kty: ["oct"],
		secret: !0,
		subtle: {
			name: cbc ? "AES-CBC" : "AES-GCM",
			length: bits
		},
		usages: none,
		ops: contentOps,
		cekBits: bits,
		ivBits: cbc ? 128 : 96,
		cbc
	};
}
const ENC = table({
	A128GCM: contentEncryption(128),
	A192GCM: contentEncryption(192),
	A256GCM: contentEncryption(256),
	"A128CBC-HS256": contentEncryption(256, !0),
	"A192CBC-HS384": contentEncryption(384, !0),
	"A256CBC-HS512": contentEncryption(512, !0)
});
function unsupported(parameter, name) {
	throw new JOSENotSupported(`Invalid or unsupported "${parameter}" (JWE ${name}) header value`);
}
function jweAlgorithm(alg) {
	return (typeof alg == "string" ? JWE[alg] : void 0) ?? unsupported("alg", "Algorithm");
}
function isJWECEKTransport(algorithm) {
	return algorithm.mode === "key-wrapping" || algorithm.mode === "key-encryption" || algorithm.mode === "key-agreement-with-key-wrapping";
}
function jweEncryption(enc) {
	return (typeof enc == "string" ? ENC[enc] : void 0) ?? unsupported("enc", "Encryption Algorithm");
}

// node_modules/jose/dist/webapi/lib/key_management.js
function checkEcdhCryptoKey(key, usage) {
	if (key.algorithm.name !== "ECDH" && key.algorithm.name !== "X25519") throw new TypeError("CryptoKey does not support this operation, its algorithm.name must be ECDH or X25519");
	checkUsage(key, usage);
}
async function aeskwWrap(alg, key, cek) {
	const cryptoKey = await rawKey(key, jweAlgorithm(alg).subtle, "wrapKey", !0), cryptoKeyCek = await crypto.subtle.importKey("raw", cek, {
		hash: "SHA-256",
		name: "HMAC"
	}, !0, ["sign"]);
	return new Uint8Array(await crypto.subtle.wrapKey("raw", cryptoKeyCek, cryptoKey, "AES-KW"));
}
async function aeskwUnwrap(alg, key, encryptedKey) {
	const cryptoKey = await rawKey(key, jweAlgorithm(alg).subtle, "unwrapKey", !0), cryptoKeyCek = await crypto.subtle.unwrapKey("raw", encryptedKey, cryptoKey, "AES-KW", {
		hash: "SHA-256",
		name: "HMAC"
	}, !0, ["sign"]);
	return new Uint8Array(await crypto.subtle.exportKey("raw", cryptoKeyCek));
}
function checkRsaKey(alg, key, usage) {
	checkCryptoKey(key, jweAlgorithm(alg).subtle, usage), checkModulusLength(alg, key);
}
async function deriveKey(p2s, alg, p2c, key) {
	if (!(p2s instanceof Uint8Array) || p2s.length < 8) throw new JWEInvalid("PBES2 Salt Input must be 8 or more octets");
	if (!Number.isSafeInteger(p2c) || Math.sign(p2c) !== 1) throw new JWEInvalid("PBES2 Count Input must be a positive integer");
	const salt = concat(encode$2(alg), Uint8Array.of(0), p2s), keyLengthBits = parseInt(alg.slice(13, 16), 10), subtleAlg = {
		hash: `SHA-${alg.slice(8, 11)}`,
		iterations: p2c,
		name: "PBKDF2",
		salt
	}, cryptoKey = await rawKey(key, jweAlgorithm(alg).subtle, "deriveBits");
	return new Uint8Array(await crypto.subtle.deriveBits(subtleAlg, cryptoKey, keyLengthBits));
}
function lengthAndInput(input) {
	return concat(uint32be(input.length), input);
}
async function concatKdf(Z, keyDataLength, OtherInfo) {
	const dkLen = keyDataLength >> 3, hashLen = 32, reps = Math.ceil(dkLen / hashLen), dk = new Uint8Array(reps * hashLen);
	for (let i = 1; i <= reps; i++) {
		const hashResult = await digest("sha256", concat(uint32be(i), Z, OtherInfo));
		dk.set(hashResult, (i - 1) * hashLen);
	}
	return dk.slice(0, dkLen);
}
async function ecdhesDeriveKey(publicKey, privateKey, algorithmId, keyDataLength, apu = /* @__PURE__ */ new Uint8Array(), apv = /* @__PURE__ */ new Uint8Array()) {
	checkEcdhCryptoKey(publicKey), checkEcdhCryptoKey(privateKey, "deriveBits");
	const otherInfo = concat(lengthAndInput(encode$2(algorithmId)), lengthAndInput(apu), lengthAndInput(apv), uint32be(keyDataLength));
	return concatKdf(new Uint8Array(await crypto.subtle.deriveBits({
		name: publicKey.algorithm.name,
		public: publicKey
	}, privateKey, publicKey.algorithm.name === "X25519" ? 256 : Math.ceil(parseInt(publicKey.algorithm.namedCurve.slice(-3), 10) / 8) << 3)), keyDataLength, otherInfo);
}
function assertEcdhKey(key) {
	assertCryptoKey(key);
	const curve = key.algorithm.namedCurve;
	if (curve !== "P-256" && curve !== "P-384" && curve !== "P-521" && key.algorithm.name !== "X25519") throw new JOSENotSupported("ECDH with the provided key is not allowed or not supported by your javascript runtime");
}
function partyInfo(joseHeader, name) {
	const value = joseHeader[name];
	if (value !== void 0) {
		if (typeof value != "string") throw new JWEInvalid(`JOSE Header "${name}" (Agreement Party${name === "apu" ? "U" : "V"}Info) invalid`);
		return decodeBase64url(value, name, JWEInvalid);
	}
}
function checkPartyInfo(apu, apv) {
	if (!(apu === void 0 || apv === void 0 || apu.byteLength !== apv.byteLength)) {
		for (let i = 0; i < apu.byteLength; i++) if (apu[i] !== apv[i]) return;
		throw new JWEInvalid("JOSE Header \"apu\" and \"apv\" values must be distinct");
	}
}
function assertEncryptedKey(encryptedKey) {
	if (encryptedKey === void 0) throw new JWEInvalid("JWE Encrypted Key missing");
}
function assertNoEncryptedKey(encryptedKey) {
	if (encryptedKey !== void 0) throw new JWEInvalid("Encountered unexpected JWE Encrypted Key");
}
function validateMaxPBES2Count(value) {
	if (value !== void 0 && value !== 1 / 0 && (!Number.isSafeInteger(value) || value < 1)) throw new TypeError("maxPBES2Count must be a positive safe integer or Infinity");
}
async function decryptKeyManagement(entry, enc, key, encryptedKey, joseHeader, maxPBES2Count) {
	const { alg } = entry, mode = entry.mode;
	if (mode === "direct-encryption") return assertNoEncryptedKey(encryptedKey), key;
	const direct = mode === "direct-key-agreement";
	switch (direct ? assertNoEncryptedKey(encryptedKey) : assertEncryptedKey(encryptedKey), entry.subtle.name) {
		case "ECDH": {
			const { epk } = joseHeader;
			if (!isObject(epk) || [
				"d",
				"k",
				"p",
				"q",
				"dp",
				"dq",
				"qi",
				"oth",
				"priv"
			].some((parameter) => Object.hasOwn(epk, parameter))) throw new JWEInvalid("JOSE Header \"epk\" (Ephemeral Public Key) missing or invalid");
			assertEcdhKey(key);
			const ephemeralPublicKey = await jwkToKey(entry, epk), partyUInfo = partyInfo(joseHeader, "apu"), partyVInfo = partyInfo(joseHeader, "apv");
			checkPartyInfo(partyUInfo, partyVInfo);
			const derivedKey = await ecdhesDeriveKey(ephemeralPublicKey, key, direct ? enc.alg : alg, direct ? enc.cekBits : parseInt(alg.slice(-5, -2), 10), partyUInfo, partyVInfo);
			if (direct) return derivedKey;
			key = derivedKey;
			break;
		}
		case "RSA-OAEP": return assertCryptoKey(key), checkRsaKey(alg, key, "decrypt"), new Uint8Array(await crypto.subtle.decrypt("RSA-OAEP", key, encryptedKey));
		case "PBKDF2": {
			if (typeof joseHeader.p2c != "number") throw new JWEInvalid("JOSE Header \"p2c\" (PBES2 Count) missing or invalid");
			const p2cLimit = maxPBES2Count ?? 1e4;
			if (joseHeader.p2c > p2cLimit) throw new JWEInvalid("JOSE Header \"p2c\" (PBES2 Count) out is of acceptable bounds");
			if (typeof joseHeader.p2s != "string") throw new JWEInvalid("JOSE Header \"p2s\" (PBES2 Salt) missing or invalid");
			key = await deriveKey(decodeBase64url(joseHeader.p2s, "p2s", JWEInvalid), alg, joseHeader.p2c, key);
			break;
		}
		case "AES-GCM": {
			if (typeof joseHeader.iv != "string") throw new JWEInvalid("JOSE Header \"iv\" (Initialization Vector) missing or invalid");
			if (typeof joseHeader.tag != "string") throw new JWEInvalid("JOSE Header \"tag\" (Authentication Tag) missing or invalid");
			const iv = decodeBase64url(joseHeader.iv, "iv", JWEInvalid), tag = decodeBase64url(joseHeader.tag, "tag", JWEInvalid);
			if (iv.byteLength !== 12) throw new JWEInvalid("Invalid Initialization Vector length");
			if (tag.byteLength !== 16) throw new JWEInvalid("Invalid Authentication Tag length");
			return decrypt$1(jweEncryption(alg.slice(0, -2)), key, encryptedKey, iv, tag, /* @__PURE__ */ new Uint8Array());
		}
	}
	return aeskwUnwrap(alg.slice(-6), key, encryptedKey);
}
async function encryptKeyManagement(entry, enc, inputKey, joseHeader, providedCek, providedParameters = {}) {
	const { alg, mode } = entry, transport = isJWECEKTransport(entry);
	if (providedCek !== void 0 && !transport) throw new TypeError(`setContentEncryptionKey cannot be called with JWE "alg" (Algorithm) Header ${alg}`);
	let key = await prepareKey(mode === "direct-encryption" ? enc : entry, inputKey, "encrypt");
	if (mode === "direct-encryption") return [
		key,
		void 0,
		void 0
	];
	const cek = transport ? providedCek ?? generateCek(enc) : void 0;
	cek && checkCekLength(cek, enc.cekBits);
	let encryptedKey, parameters;
	switch (entry.subtle.name) {
		case "ECDH": {
			assertEcdhKey(key);
			const { apu: providedApu, apv: providedApv } = providedParameters;
			providedApu !== void 0 && assertUint8Array(providedApu, "\"apu\""), providedApv !== void 0 && assertUint8Array(providedApv, "\"apv\"");
			const apu = providedApu ?? partyInfo(joseHeader, "apu"), apv = providedApv ?? partyInfo(joseHeader, "apv");
			checkPartyInfo(apu, apv);
			let ephemeralPrivateKey;
			providedParameters.epk !== void 0 ? ephemeralPrivateKey = await prepareKey(entry, providedParameters.epk, "decrypt") : ephemeralPrivateKey = (await crypto.subtle.generateKey(key.algorithm, !0, ["deriveBits"])).privateKey;
			const subtle = crypto.subtle;
			let exportableEpk = ephemeralPrivateKey;
			if (!exportableEpk.extractable) {
				if (typeof subtle.getPublicKey != "function") throw new TypeError("CryptoKey for \"epk\" must be extractable");
				exportableEpk = await subtle.getPublicKey(ephemeralPrivateKey, []);
			}
			const { x, y, crv, kty } = await subtle.exportKey("jwk", exportableEpk), direct = mode === "direct-key-agreement", derivedKey = await ecdhesDeriveKey(key, ephemeralPrivateKey, direct ? enc.alg : alg, direct ? enc.cekBits : parseInt(alg.slice(-5, -2), 10), apu, apv), epk = {
				x,
				crv,
				kty
			};
			if (kty === "EC" && (epk.y = y), parameters = { epk }, providedApu !== void 0 && (parameters.apu = encode$1(providedApu)), providedApv !== void 0 && (parameters.apv = encode$1(providedApv)), direct) return [
				derivedKey,
				void 0,
				parameters
			];
			key = derivedKey;
			break;
		}
		case "RSA-OAEP":
			assertCryptoKey(key), checkRsaKey(alg, key, "encrypt"), encryptedKey = new Uint8Array(await crypto.subtle.encrypt("RSA-OAEP", key, cek));
			break;
		case "PBKDF2": {
			const { p2c = 2048, p2s = crypto.getRandomValues(/* @__PURE__ */ new Uint8Array(16)) } = providedParameters;
			key = await deriveKey(p2s, alg, p2c, key), parameters = {
				p2c,
				p2s: encode$1(p2s)
			};
			break;
		}
		case "AES-GCM": {
			const iv = providedParameters.iv === void 0 ? crypto.getRandomValues(/* @__PURE__ */ new Uint8Array(12)) : providedParameters.iv;
			if (!(iv instanceof Uint8Array)) throw new TypeError("\"iv\" must be an instance of Uint8Array");
			const wrapped = await encrypt$1(jweEncryption(alg.slice(0, -2)), cek, key, iv, /* @__PURE__ */ new Uint8Array());
			encryptedKey = wrapped.ciphertext, parameters = {
				iv: encode$1(wrapped.iv),
				tag: encode$1(wrapped.tag)
			};
		}
	}
	if (encryptedKey ??= await aeskwWrap(alg.slice(-6), key, cek), !(encryptedKey instanceof Uint8Array) || !encryptedKey.byteLength) throw new TypeError("JWE key management algorithm did not produce an Encrypted Key");
	return [
		cek,
		encryptedKey,
		parameters
	];
}

// node_modules/jose/dist/webapi/lib/deflate.js
function validateZip(joseHeader, protectedHeader) {
	if (joseHeader.zip !== void 0 && joseHeader.zip !== "DEF") throw new JOSENotSupported("Unsupported JWE \"zip\" (Compression Algorithm) Header Parameter value.");
	if (joseHeader.zip !== void 0 && !protectedHeader?.zip) throw new JWEInvalid("JWE \"zip\" (Compression Algorithm) Header Parameter MUST be in a protected header.");
}
function supported(name) {
	if (typeof globalThis[name] > "u") throw new JOSENotSupported(`JWE "zip" (Compression Algorithm) Header Parameter requires the ${name} API.`);
}
async function transform(stream, input, maxLength = 1 / 0) {
	const writer = stream.writable.getWriter();
	writer.write(input).catch(() => {}), writer.close().catch(() => {});
	const chunks = [];
	let length = 0;
	const reader = stream.readable.getReader();
	for (;;) {
		const { value, done } = await reader.read();
		if (done) break;
		if (chunks.push(value), length += value.byteLength, maxLength !== 1 / 0 && length > maxLength) throw await reader.cancel().catch(() => {}), new JWEInvalid("Decompressed plaintext exceeded the configured limit");
	}
	return concat(...chunks);
}
async function compress(input) {
	return supported("CompressionStream"), transform(new CompressionStream("deflate-raw"), input);
}
async function decompress(input, maxLength) {
	return supported("DecompressionStream"), transform(new DecompressionStream("deflate-raw"), input, maxLength);
}

// node_modules/jose/dist/webapi/lib/jwe_decrypt.js
function shareJWE(jwe) {
	const { protected: encodedProtected, ciphertext, iv, tag, aad } = jwe;
	let protectedHeader;
	return encodedProtected !== void 0 && (protectedHeader = parseJoseHeader(encodedProtected, JWEInvalid, "JWE Protected Header is invalid")), [
		protectedHeader,
		decodeBase64url(ciphertext, "ciphertext", JWEInvalid),
		iv !== void 0 ? decodeBase64url(iv, "iv", JWEInvalid) : void 0,
		tag !== void 0 ? decodeBase64url(tag, "tag", JWEInvalid) : void 0,
		encodeAsciiMember((encodedProtected ?? "") + (aad !== void 0 ? `.${aad}` : ""), "aad", JWEInvalid)
	];
}
function prepareDecrypt(options) {
	const keyManagementAlgorithms = options && validateAlgorithms("keyManagementAlgorithms", options.keyManagementAlgorithms), contentEncryptionAlgorithms = options && validateAlgorithms("contentEncryptionAlgorithms", options.contentEncryptionAlgorithms), { crit, maxPBES2Count, maxDecompressedLength } = options ?? {};
	validateMaxPBES2Count(maxPBES2Count);
	const decompressionLimit = maxDecompressedLength ?? 25e4;
	if (decompressionLimit !== 0 && decompressionLimit !== 1 / 0 && (!Number.isSafeInteger(decompressionLimit) || decompressionLimit < 1)) throw new TypeError("maxDecompressedLength must be 0, a positive safe integer, or Infinity");
	return [
		keyManagementAlgorithms,
		contentEncryptionAlgorithms,
		crit,
		maxPBES2Count,
		maxDecompressedLength
	];
}
async function decryptJWE(jwe, shared, key, token = shareJWE(jwe)) {
	const [protectedHeader, ciphertext, iv, tag, additionalAuthenticatedData] = token, { header, unprotected, aad } = jwe;
	let joseHeader;
	if (header !== void 0 || unprotected !== void 0) {
		if (!isDisjoint(protectedHeader, header, unprotected)) throw new JWEInvalid("JWE Protected, JWE Unprotected Header, and JWE Per-Recipient Unprotected Header Parameter names must be disjoint");
		joseHeader = {
			...protectedHeader,
			...header,
			...unprotected
		};
	} else joseHeader = protectedHeader ?? {};
	const [keyManagementAlgorithms, contentEncryptionAlgorithms, crit, maxPBES2Count, maxDecompressedLength] = shared, { encrypted_key: encodedKey } = jwe;
	validateCrit(JWEInvalid, JWE_RECOGNIZED, crit, protectedHeader, joseHeader), validateZip(joseHeader, protectedHeader);
	const { alg, enc } = joseHeader;
	if (typeof alg != "string" || !alg) throw new JWEInvalid("missing JWE Algorithm (alg) in JWE Header");
	const selected = JWE[alg];
	if (encodedKey === "" && (!selected || !isJWECEKTransport(selected))) throw new JWEInvalid("JWE Encrypted Key incorrect type");
	const integrated = selected?.mode === "integrated-encryption";
	if (!integrated && (typeof enc != "string" || !enc)) throw new JWEInvalid("missing JWE Encryption Algorithm (enc) in JWE Header");
	if (keyManagementAlgorithms && !keyManagementAlgorithms.has(alg) || !keyManagementAlgorithms && alg.startsWith("PBES2")) throw new JOSEAlgNotAllowed("\"alg\" (Algorithm) Header Parameter value not allowed");
	let encEntry;
	if (integrated) {
		if (enc !== void 0) throw new JWEInvalid("JWE \"enc\" (Encryption Algorithm) Header Parameter must not be present for integrated encryption");
		if (iv?.byteLength) throw new JWEInvalid("JWE Initialization Vector must be empty for integrated encryption");
		if (tag?.byteLength) throw new JWEInvalid("JWE Authentication Tag must be empty for integrated encryption");
	} else {
		if (contentEncryptionAlgorithms && !contentEncryptionAlgorithms.has(enc)) throw new JOSEAlgNotAllowed("\"enc\" (Encryption Algorithm) Header Parameter value not allowed");
		encEntry = jweEncryption(enc);
	}
	let encryptedKey;
	if (encodedKey !== void 0) try {
		encryptedKey = decodeBase64url(encodedKey, "encrypted_key", JWEInvalid);
	} catch (error) {
		if (!selected || !isJWECEKTransport(selected)) throw error;
		encryptedKey = /* @__PURE__ */ new Uint8Array();
	}
	let resolvedKey = !1;
	typeof key == "function" && (key = await key(protectedHeader, jwe), resolvedKey = !0);
	const algEntry = selected ?? jweAlgorithm(alg);
	isJWECEKTransport(algEntry) && encryptedKey === void 0 && (encryptedKey = /* @__PURE__ */ new Uint8Array());
	const k = await prepareKey(algEntry.mode === "direct-encryption" ? encEntry : algEntry, key, "decrypt");
	let plaintext;
	if (algEntry.mode === "integrated-encryption") plaintext = await algEntry.decrypt(k, encryptedKey, ciphertext, additionalAuthenticatedData, protectedHeader, joseHeader);
	else {
		const encryption = encEntry;
		let cek;
		try {
			cek = await decryptKeyManagement(algEntry, encryption, k, encryptedKey, joseHeader, maxPBES2Count), isJWECEKTransport(algEntry) && cek instanceof Uint8Array && cek.byteLength << 3 !== encryption.cekBits && (cek = generateCek(encryption));
		} catch (err) {
			if (err instanceof TypeError || err instanceof JWEInvalid || err instanceof JOSENotSupported) throw err;
			cek = generateCek(encryption);
		}
		plaintext = await decrypt$1(encryption, cek, ciphertext, iv, tag, additionalAuthenticatedData);
	}
	if (joseHeader.zip === "DEF") {
		const decompressionLimit = maxDecompressedLength ?? 25e4;
		if (decompressionLimit === 0) throw new JOSENotSupported("JWE \"zip\" (Compression Algorithm) Header Parameter is not supported.");
		plaintext = await decompress(plaintext, decompressionLimit).catch((cause) => {
			throw cause instanceof JWEInvalid ? cause : new JWEInvalid("Failed to decompress plaintext", { cause });
		});
	}
	return {
		plaintext,
		...protectedHeader && { protectedHeader },
		...aad !== void 0 && { additionalAuthenticatedData: decodeBase64url(aad, "aad", JWEInvalid) },
		...unprotected && { sharedUnprotectedHeader: unprotected },
		...header && { unprotectedHeader: header },
		...resolvedKey && { key: k }
	};
}
async function decryptCompact(jwe, shared, key) {
	if (jwe instanceof Uint8Array && (jwe = decoder.decode(jwe)), typeof jwe != "string") throw new JWEInvalid("Compact JWE must be a string or Uint8Array");
	const { 0: protectedHeader, 1: encryptedKey, 2: iv, 3: ciphertext, 4: tag, length } = jwe.split(".");
	if (length !== 5) throw new JWEInvalid("Invalid Compact JWE");
	return decryptJWE({
		ciphertext,
		iv: iv || void 0,
		protected: protectedHeader,
		tag: tag || void 0,
		encrypted_key: encryptedKey || void 0
	}, shared, key);
}

// node_modules/jose/dist/webapi/jwe/compact/decrypt.js
async function compactDecrypt(jwe, key, options) {
	return decryptCompact(jwe, prepareDecrypt(options), key);
}

// node_modules/jose/dist/webapi/lib/jwe_encrypt.js
function checkDisjoint(protectedHeader, unprotectedHeader, sharedUnprotectedHeader) {
	if (!isDisjoint(protectedHeader, unprotectedHeader, sharedUnprotectedHeader)) throw new JWEInvalid("JWE Protected, JWE Shared Unprotected and JWE Per-Recipient Header Parameter names must be disjoint");
}
function checkEncryptHeaders(input, options, sharedHeadersNormalized = !1) {
	if (!input[1] && !input[2] && !input[3]) throw new JWEInvalid("either setProtectedHeader, setUnprotectedHeader, or sharedUnprotectedHeader must be called before #encrypt()");
	options !== void 0 && (input[8] = options?.crit);
	let [, protectedHeader, unprotectedHeader, sharedUnprotectedHeader, aad, cek, iv, keyManagementParameters, crit] = input;
	if (aad !== void 0 && assertUint8Array(aad, "JWE Additional Authenticated Data"), cek !== void 0 && assertUint8Array(cek, "JWE Content Encryption Key"), iv !== void 0 && assertUint8Array(iv, "JWE Initialization Vector"), !sharedHeadersNormalized && protectedHeader !== void 0 && (protectedHeader = serializeJoseHeader(JWEInvalid, protectedHeader)[0], input[1] = protectedHeader), unprotectedHeader !== void 0 && (unprotectedHeader = serializeJoseHeader(JWEInvalid, unprotectedHeader)[0], input[2] = unprotectedHeader), !sharedHeadersNormalized && sharedUnprotectedHeader !== void 0 && (sharedUnprotectedHeader = serializeJoseHeader(JWEInvalid, sharedUnprotectedHeader)[0], input[3] = sharedUnprotectedHeader), keyManagementParameters !== void 0 && !isObject(keyManagementParameters)) throw new TypeError("JWE Key Management Parameters must be an object");
	checkDisjoint(protectedHeader, unprotectedHeader, sharedUnprotectedHeader);
	const joseHeader = {
		...protectedHeader,
		...unprotectedHeader,
		...sharedUnprotectedHeader
	};
	validateCritDuplicates(JWEInvalid, protectedHeader), validateCrit(JWEInvalid, JWE_RECOGNIZED, crit, protectedHeader, joseHeader), validateZip(joseHeader, protectedHeader);
	const { alg, enc } = joseHeader;
	if (typeof alg != "string" || !alg) throw new JWEInvalid("JWE \"alg\" (Algorithm) Header Parameter missing or invalid");
	const algEntry = JWE[alg];
	if (algEntry?.mode === "integrated-encryption") {
		if (enc !== void 0) throw new JWEInvalid("JWE \"enc\" (Encryption Algorithm) Header Parameter must not be present for integrated encryption");
		if (cek !== void 0) throw new TypeError(`setContentEncryptionKey cannot be called with JWE "alg" (Algorithm) Header ${alg}`);
		if (iv !== void 0) throw new TypeError(`setInitializationVector cannot be called with JWE "alg" (Algorithm) Header ${alg}`);
		return [
			joseHeader,
			void 0,
			algEntry
		];
	}
	if (typeof enc != "string" || !enc) throw new JWEInvalid("JWE \"enc\" (Encryption Algorithm) Header Parameter missing or invalid");
	return [
		joseHeader,
		jweEncryption(enc),
		algEntry
	];
}
async function encryptJWE(input, checked, key) {
	const [joseHeader, encEntry, selected] = checked, [inputPlaintext, inputProtectedHeader, inputUnprotectedHeader, sharedUnprotectedHeader, aad, providedCek, inputIv, keyManagementParameters, , unprotectedParameters] = input;
	let protectedHeader = inputProtectedHeader, unprotectedHeader = inputUnprotectedHeader;
	const algEntry = selected ?? jweAlgorithm(joseHeader.alg);
	let encryptedKey, parameters, cek;
	algEntry.mode === "integrated-encryption" ? cek = await prepareKey(algEntry, key, "encrypt") : [cek, encryptedKey, parameters] = await encryptKeyManagement(algEntry, encEntry, key, joseHeader, providedCek, keyManagementParameters), parameters && (unprotectedParameters ? unprotectedHeader = unprotectedHeader ? {
		...unprotectedHeader,
		...parameters
	} : parameters : protectedHeader = protectedHeader ? {
		...protectedHeader,
		...parameters
	} : parameters, checkDisjoint(protectedHeader, unprotectedHeader, sharedUnprotectedHeader));
	const encodedProtectedHeader = protectedHeader ? encode$1(JSON.stringify(protectedHeader)) : "", encodedAad = aad?.byteLength ? encode$1(aad) : void 0, additionalAuthenticatedData = encode$2(encodedAad ? `${encodedProtectedHeader}.${encodedAad}` : encodedProtectedHeader);
	let plaintext = inputPlaintext;
	joseHeader.zip === "DEF" && (plaintext = await compress(plaintext).catch((cause) => {
		throw new JWEInvalid("Failed to compress plaintext", { cause });
	}));
	let ciphertext, tag, iv;
	algEntry.mode === "integrated-encryption" ? [encryptedKey, ciphertext] = await algEntry.encrypt(cek, plaintext, additionalAuthenticatedData, protectedHeader, joseHeader, keyManagementParameters) : {ciphertext, tag, iv} = await encrypt$1(encEntry, plaintext, cek, inputIv, additionalAuthenticatedData);
	const jwe = { ciphertext: encode$1(ciphertext) };
	return iv && (jwe.iv = encode$1(iv)), tag && (jwe.tag = encode$1(tag)), encryptedKey?.byteLength && (jwe.encrypted_key = encode$1(encryptedKey)), encodedAad && (jwe.aad = encodedAad), protectedHeader && (jwe.protected = encodedProtectedHeader), sharedUnprotectedHeader && (jwe.unprotected = sharedUnprotectedHeader), unprotectedHeader && (jwe.header = unprotectedHeader), jwe;
}
async function createJWE(input, key, options) {
	return encryptJWE(input, checkEncryptHeaders(input, options), key);
}
function compactJWE(jwe) {
	return [
		jwe.protected,
		jwe.encrypted_key,
		jwe.iv,
		jwe.ciphertext,
		jwe.tag
	].join(".");
}

// node_modules/jose/dist/webapi/lib/jws_algorithms.js
const sig = [["verify"], ["sign"]];
function hmac(bits) {
	const subtle = {
		name: "HMAC",
		hash: `SHA-${bits}`
	};
	return {
		kty: ["oct"],
		secret: !0,
		subtle,
		signing: subtle,
		usages: sig
	};
}
function rsa(bits, saltLength) {
	const subtle = {
		name: saltLength ? "RSA-PSS" : "RSASSA-PKCS1-v1_5",
		hash: `SHA-${bits}`
	};
	return {
		kty: ["RSA"],
		subtle,
		signing: saltLength ? {
			...subtle,
			saltLength
		} : subtle,
		usages: sig,
		minRsaBits: 2048
	};
}
function ecdsa(crv, bits) {
	return {
		kty: ["EC"],
		crv,
		subtle: {
			name: "ECDSA",
			namedCurve: crv
		},
		signing: {
			name: "ECDSA",
			hash: `SHA-${bits}`
		},
		usages: sig
	};
}
function eddsa() {
	const subtle = { name: "Ed25519" };
	return {
		kty: ["OKP"],
		crv: "Ed25519",
		subtle,
		signing: subtle,
		usages: sig
	};
}
function mldsa(parameterSet) {
	const subtle = { name: `ML-DSA-${parameterSet}` };
	return {
		kty: ["AKP"],
		subtle,
		signing: subtle,
		usages: sig
	};
}
const JWS = table({
	HS256: hmac(256),
	HS384: hmac(384),
	HS512: hmac(512),
	RS256: rsa(256),
	RS384: rsa(384),
	RS512: rsa(512),
	PS256: rsa(256, 32),
	PS384: rsa(384, 48),
	PS512: rsa(512, 64),
	ES256: ecdsa("P-256", 256),
	ES384: ecdsa("P-384", 384),
	ES512: ecdsa("P-521", 512),
	EdDSA: eddsa(),
	Ed25519: eddsa(),
	"ML-DSA-44": mldsa(44),
	"ML-DSA-65": mldsa(65),
	"ML-DSA-87": mldsa(87)
});
function jwsAlgorithm(alg) {
	const entry = typeof alg == "string" ? JWS[alg] : void 0;
	if (!entry) throw new JOSENotSupported(`alg ${alg} is not supported either by JOSE or your javascript runtime`);
	return entry;
}

// node_modules/jose/dist/webapi/lib/jws_verify.js
function prepareVerify(options) {
	return [options && validateAlgorithms("algorithms", options.algorithms), options?.crit];
}
function parseProtectedHeader(encodedProtectedHeader) {
	return encodedProtectedHeader === void 0 ? {} : parseJoseHeader(encodedProtectedHeader, JWSInvalid, "JWS Protected Header is invalid");
}
function encodeCompactUnencodedPayload(payload) {
	try {
		return encode$2(payload);
	} catch (cause) {
		throw new JWSInvalid("JWS Compact Serialization payload must use only ASCII characters", { cause });
	}
}
async function verifySignature(jws, shared, key, encodeUnencodedPayload, parsedProtected) {
	const { protected: encodedProtectedHeader, header, payload: inputPayload } = jws, protectedHeader = parsedProtected ?? parseProtectedHeader(encodedProtectedHeader);
	if (!isDisjoint(protectedHeader, header)) throw new JWSInvalid("JWS Protected and JWS Unprotected Header Parameter names must be disjoint");
	const joseHeader = {
		...protectedHeader,
		...header
	}, b64 = validateB64(protectedHeader, validateCrit(JWSInvalid, JWS_RECOGNIZED, shared[1], protectedHeader, joseHeader)), { alg } = joseHeader;
	if (typeof alg != "string" || !alg) throw new JWSInvalid("JWS \"alg\" (Algorithm) Header Parameter missing or invalid");
	if (shared[0] && !shared[0].has(alg)) throw new JOSEAlgNotAllowed("\"alg\" (Algorithm) Header Parameter value not allowed");
	if (b64) {
		if (typeof inputPayload != "string") throw new JWSInvalid("JWS Payload must be a string");
	} else if (typeof inputPayload != "string" && !(inputPayload instanceof Uint8Array)) throw new JWSInvalid("JWS Payload must be a string or an Uint8Array instance");
	const signingPayload = b64 || typeof inputPayload != "string" ? inputPayload : encodeUnencodedPayload(inputPayload);
	let resolvedKey = !1;
	typeof key == "function" && (key = await key(protectedHeader, jws), resolvedKey = !0);
	const entry = jwsAlgorithm(alg), signingInput = concat(encodedProtectedHeader !== void 0 ? encode$2(encodedProtectedHeader) : /* @__PURE__ */ new Uint8Array(), encode$2("."), typeof signingPayload == "string" ? shared[2] ??= encodeAsciiMember(signingPayload, "payload", JWSInvalid) : signingPayload), signature = decodeBase64url(jws.signature, "signature", JWSInvalid), verificationKey = await prepareKey(entry, key, "verify"), cryptoKey = await rawKey(verificationKey, entry.subtle, "verify");
	entry.minRsaBits && checkModulusLength(entry.alg, cryptoKey);
	let verified = !1;
	try {
		verified = await crypto.subtle.verify(entry.signing, cryptoKey, signature, signingInput);
	} catch (cause) {
		throw new JWSSignatureVerificationFailed$1(void 0, { cause });
	}
	if (!verified) throw new JWSSignatureVerificationFailed$1();
	const result = { payload: typeof signingPayload == "string" ? decodeBase64url(signingPayload, "payload", JWSInvalid) : signingPayload };
	return encodedProtectedHeader !== void 0 && (result.protectedHeader = protectedHeader), header !== void 0 && (result.unprotectedHeader = header), resolvedKey ? [{
		...result,
		key: verificationKey
	}, b64] : [result, b64];
}
async function verifyCompact(jws, shared, key) {
	if (jws instanceof Uint8Array && (jws = decoder.decode(jws)), typeof jws != "string") throw new JWSInvalid("Compact JWS must be a string or Uint8Array");
	const { 0: protectedHeader, 1: payload, 2: signature, length } = jws.split(".");
	if (length !== 3) throw new JWSInvalid("Invalid Compact JWS");
	return verifySignature({
		payload,
		protected: protectedHeader,
		signature
	}, shared, key, encodeCompactUnencodedPayload);
}

// node_modules/jose/dist/webapi/jws/compact/verify.js
async function compactVerify(jws, key, options) {
	const [result] = await verifyCompact(jws, prepareVerify(options), key);
	return result;
}

// node_modules/jose/dist/webapi/lib/jwt_claims_set.js
const epoch = (date) => Math.floor(date.getTime() / 1e3);
const multipliers = {
	s: 1,
	m: 60,
	h: 3600,
	d: 86400,
	w: 604800,
	y: 31557600
};
const REGEX = /^(\+|\-)? ?(\d+|\d+\.\d+) ?(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|years?|yrs?|y)(?: (ago|from now))?$/i;
const checkFailed = "check_failed";
function invalidDuration() {
	throw new TypeError("Invalid time period format");
}
function secs(str) {
	typeof str != "string" && invalidDuration();
	const matched = REGEX.exec(str);
	(!matched || matched[4] && matched[1]) && invalidDuration();
	const value = parseFloat(matched[2]), durationSeconds = Math.round(value * multipliers[matched[3][0].toLowerCase()]);
	return Number.isFinite(durationSeconds) || invalidDuration(), matched[1] === "-" || matched[4] === "ago" ? -durationSeconds : durationSeconds;
}
function validateInput(label, input) {
	if (!Number.isFinite(input)) throw new TypeError(`Invalid ${label} input`);
	return input;
}
function validateStringClaim(claim, value) {
	if (typeof value != "string") throw new TypeError(`"${claim}" claim must be a string`);
}
function validateAudienceClaim(value) {
	if (typeof value != "string" && (!Array.isArray(value) || Array.from(value).some((member) => typeof member != "string"))) throw new TypeError("\"aud\" claim must be a string or an array of strings");
}
function numericDate(value, label) {
	return typeof value == "number" ? validateInput(label, value) : value instanceof Date ? validateInput(label, epoch(value)) : epoch(/* @__PURE__ */ new Date()) + secs(value);
}
const normalizeTyp = (value) => {
	const normalized = value.toLowerCase();
	return value.includes("/") ? normalized : `application/${normalized}`;
};
const checkAudiencePresence = (audPayload, audOption) => typeof audPayload == "string" ? audOption.includes(audPayload) : Array.isArray(audPayload) ? audOption.some((aud) => audPayload.includes(aud)) : !1;
function validateNumericDate(claimsSet, claim, required = !1) {
	const value = claimsSet[claim];
	if (!(value === void 0 && !required)) {
		if (typeof value != "number") throw new JWTClaimValidationFailed(`"${claim}" claim must be a number`, claimsSet, claim, "invalid");
		return value;
	}
}
function unexpectedClaim(claimsSet, claim) {
	throw new JWTClaimValidationFailed(`unexpected "${claim}" claim value`, claimsSet, claim, checkFailed);
}
function validateClaimsSet(protectedHeader, claimsSetBytes, options = {}) {
	let claimsSet;
	try {
		claimsSet = JSON.parse(strictDecoder.decode(claimsSetBytes));
	} catch (cause) {
		throw new JWTInvalid("JWT Claims Set must be a top-level JSON object", { cause });
	}
	if (!isObject(claimsSet)) throw new JWTInvalid("JWT Claims Set must be a top-level JSON object");
	const { typ } = options;
	if (typ !== void 0 && (typeof protectedHeader.typ != "string" || normalizeTyp(protectedHeader.typ) !== normalizeTyp(typ))) throw new JWTClaimValidationFailed("unexpected \"typ\" JWT header value", claimsSet, "typ", checkFailed);
	const { requiredClaims = [], issuer, subject, audience, maxTokenAge } = options, presenceCheck = [...requiredClaims];
	maxTokenAge !== void 0 && presenceCheck.push("iat"), audience !== void 0 && presenceCheck.push("aud"), subject !== void 0 && presenceCheck.push("sub"), issuer !== void 0 && presenceCheck.push("iss");
	for (const claim of new Set(presenceCheck.reverse())) if (!Object.hasOwn(claimsSet, claim)) throw new JWTClaimValidationFailed(`missing required "${claim}" claim`, claimsSet, claim, "missing");
	issuer !== void 0 && !(Array.isArray(issuer) ? issuer : [issuer]).includes(claimsSet.iss) && unexpectedClaim(claimsSet, "iss"), subject !== void 0 && claimsSet.sub !== subject && unexpectedClaim(claimsSet, "sub"), audience !== void 0 && !checkAudiencePresence(claimsSet.aud, typeof audience == "string" ? [audience] : audience) && unexpectedClaim(claimsSet, "aud");
	const { clockTolerance } = options;
	let tolerance = 0;
	if (typeof clockTolerance == "string") tolerance = secs(clockTolerance);
	else if (clockTolerance !== void 0) {
		if (typeof clockTolerance != "number") throw new TypeError("Invalid clockTolerance option type");
		tolerance = clockTolerance;
	}
	if (validateInput("clockTolerance option", tolerance), tolerance < 0) throw new TypeError("Invalid clockTolerance option input");
	const { currentDate } = options, now = validateInput("currentDate option", epoch(currentDate === void 0 ? /* @__PURE__ */ new Date() : currentDate)), iat = validateNumericDate(claimsSet, "iat", maxTokenAge !== void 0), nbf = validateNumericDate(claimsSet, "nbf");
	if (nbf !== void 0 && nbf > now + tolerance) throw new JWTClaimValidationFailed("\"nbf\" claim timestamp check failed", claimsSet, "nbf", checkFailed);
	const exp = validateNumericDate(claimsSet, "exp");
	if (exp !== void 0 && exp <= now - tolerance) throw new JWTExpired("\"exp\" claim timestamp check failed", claimsSet, "exp", checkFailed);
	if (maxTokenAge !== void 0) {
		const age = now - iat, max = validateInput("maxTokenAge option", typeof maxTokenAge == "number" ? maxTokenAge : secs(maxTokenAge));
		if (max < 0) throw new TypeError("Invalid maxTokenAge option input");
		if (age - tolerance > max) throw new JWTExpired("\"iat\" claim timestamp check failed (too far in the past)", claimsSet, "iat", checkFailed);
		if (age < -tolerance) throw new JWTClaimValidationFailed("\"iat\" claim timestamp check failed (it should be in the past)", claimsSet, "iat", checkFailed);
	}
	return claimsSet;
}
let producerClaimsSets;
function producerClaimsSet(producer) {
	return producerClaimsSets.get(producer);
}
function jwtClaimsSetBytes(producer) {
	const claimsSet = producerClaimsSet(producer);
	for (const claim of [
		"iat",
		"nbf",
		"exp"
	]) {
		const value = claimsSet[claim];
		if (typeof value == "number" && !Number.isFinite(value)) throw new TypeError(`"${claim}" claim must be a finite number`);
	}
	return encoder.encode(JSON.stringify(claimsSet));
}
var JWTClaimsBuilder = class {
	constructor(claimsSet = {}) {
		if (!isObject(claimsSet)) throw new TypeError("JWT Claims Set MUST be an object");
		(producerClaimsSets ||= /* @__PURE__ */ new WeakMap()).set(this, structuredClone(claimsSet));
	}
	setIssuer(value) {
		return validateStringClaim("iss", value), producerClaimsSet(this).iss = value, this;
	}
	setSubject(value) {
		return validateStringClaim("sub", value), producerClaimsSet(this).sub = value, this;
	}
	setAudience(value) {
		return validateAudienceClaim(value), producerClaimsSet(this).aud = value, this;
	}
	setJti(value) {
		return validateStringClaim("jti", value), producerClaimsSet(this).jti = value, this;
	}
	setNotBefore(value) {
		return producerClaimsSet(this).nbf = numericDate(value, "setNotBefore"), this;
	}
	setExpirationTime(value) {
		return producerClaimsSet(this).exp = numericDate(value, "setExpirationTime"), this;
	}
	setIssuedAt(value) {
		const claimsSet = producerClaimsSet(this);
		return value === void 0 ? claimsSet.iat = epoch(/* @__PURE__ */ new Date()) : typeof value == "string" ? claimsSet.iat = validateInput("setIssuedAt", epoch(/* @__PURE__ */ new Date()) + secs(value)) : claimsSet.iat = numericDate(value, "setIssuedAt"), this;
	}
};

// node_modules/jose/dist/webapi/jwt/verify.js
async function jwtVerify(jwt, key, options) {
	const [verified, b64] = await verifyCompact(jwt, prepareVerify(options), key);
	if (!b64) throw new JWTInvalid("JWTs MUST NOT use unencoded payload");
	const payload = validateClaimsSet(verified.protectedHeader, verified.payload, options);
	return {
		...verified,
		payload
	};
}

// node_modules/jose/dist/webapi/jwe/compact/encrypt.js
var CompactEncrypt = class {
	#input;
	constructor(plaintext) {
		assertUint8Array(plaintext, "plaintext"), this.#input = [plaintext];
	}
	setContentEncryptionKey(cek) {
		return assertNotSet(this.#input[5], "setContentEncryptionKey"), this.#input[5] = cek, this;
	}
	setInitializationVector(iv) {
		return assertNotSet(this.#input[6], "setInitializationVector"), this.#input[6] = iv, this;
	}
	setProtectedHeader(protectedHeader) {
		return assertNotSet(this.#input[1], "setProtectedHeader"), this.#input[1] = protectedHeader, this;
	}
	setKeyManagementParameters(parameters) {
		return assertNotSet(this.#input[7], "setKeyManagementParameters"), this.#input[7] = parameters, this;
	}
	async encrypt(key, options) {
		return compactJWE(await createJWE([...this.#input], key, options));
	}
};

// node_modules/jose/dist/webapi/lib/jws_sign.js
async function createSignature(input, key, rejectUnencoded) {
	let [payload, protectedHeader, unprotectedHeader, crit] = input, encodedProtectedHeader = "";
	if (protectedHeader !== void 0) {
		const normalized = serializeJoseHeader(JWSInvalid, protectedHeader);
		protectedHeader = normalized[0], encodedProtectedHeader = encode$1(normalized[1]);
	}
	if (unprotectedHeader !== void 0 && (unprotectedHeader = serializeJoseHeader(JWSInvalid, unprotectedHeader)[0]), !protectedHeader && !unprotectedHeader) throw new JWSInvalid("either setProtectedHeader or setUnprotectedHeader must be called before #sign()");
	if (!isDisjoint(protectedHeader, unprotectedHeader)) throw new JWSInvalid("JWS Protected and JWS Unprotected Header Parameter names must be disjoint");
	const joseHeader = {
		...protectedHeader,
		...unprotectedHeader
	};
	validateCritDuplicates(JWSInvalid, protectedHeader);
	const b64 = validateB64(protectedHeader, validateCrit(JWSInvalid, JWS_RECOGNIZED, crit, protectedHeader, joseHeader));
	b64 || rejectUnencoded?.();
	const { alg } = joseHeader;
	if (typeof alg != "string" || !alg) throw new JWSInvalid("JWS \"alg\" (Algorithm) Header Parameter missing or invalid");
	const entry = jwsAlgorithm(alg);
	let encodedPayload = "", signingPayload = payload, signingInput;
	if (b64) {
		const encodedPayloadCache = input[4];
		encodedPayloadCache ? (encodedPayload = encodedPayloadCache[0] ??= encode$1(payload), signingPayload = encodedPayloadCache[1] ??= encode$2(encodedPayload)) : (encodedPayload = encode$1(payload), signingInput = encoder.encode(`${encodedProtectedHeader}.${encodedPayload}`));
	}
	signingInput ??= concat(encode$2(encodedProtectedHeader), encode$2("."), signingPayload);
	const signingKey = await rawKey(await prepareKey(entry, key, "sign"), entry.subtle, "sign");
	entry.minRsaBits && checkModulusLength(entry.alg, signingKey);
	const jws = {
		signature: encode$1(new Uint8Array(await crypto.subtle.sign(entry.signing, signingKey, signingInput))),
		payload: encodedPayload
	};
	return protectedHeader && (jws.protected = encodedProtectedHeader), unprotectedHeader && (jws.header = unprotectedHeader), [jws, b64];
}
async function createCompactSignature(payload, protectedHeader, crit, key, rejectUnencoded) {
	const [jws] = await createSignature([
		payload,
		protectedHeader,
		void 0,
		crit
	], key, rejectUnencoded);
	return `${jws.protected}.${jws.payload}.${jws.signature}`;
}

// node_modules/jose/dist/webapi/jws/compact/sign.js
var CompactSign = class {
	#payload;
	#protectedHeader;
	constructor(payload) {
		assertUint8Array(payload, "payload"), this.#payload = payload;
	}
	setProtectedHeader(protectedHeader) {
		return assertNotSet(this.#protectedHeader, "setProtectedHeader"), this.#protectedHeader = protectedHeader, this;
	}
	async sign(key, options) {
		return createCompactSignature(this.#payload, this.#protectedHeader, options?.crit, key, () => {
			throw new TypeError("use the flattened module for creating JWS with b64: false");
		});
	}
};

// node_modules/jose/dist/webapi/lib/key_algorithm.js
function unsupportedAlg(source = "JWK \"alg\" (Algorithm) Parameter") {
	throw new JOSENotSupported(`Invalid or unsupported ${source} value`);
}
function keyAlgorithm(alg, source) {
	return (typeof alg == "string" ? JWS[alg] ?? JWE[alg] : void 0) ?? unsupportedAlg(source);
}

// node_modules/jose/dist/webapi/key/export.js
async function exportJWK(key) {
	if (isKeyObject(key)) if (key.type === "secret") key = key.export();
	else return key.export({ format: "jwk" });
	if (key instanceof Uint8Array) return {
		kty: "oct",
		k: encode$1(key)
	};
	if (!isCryptoKey(key)) throw new TypeError(invalidKeyInput(key, "CryptoKey", "KeyObject", "Uint8Array"));
	if (!key.extractable) throw new TypeError("non-extractable CryptoKey cannot be exported as a JWK");
	const jwk = await crypto.subtle.exportKey("jwk", key);
	delete jwk.ext, delete jwk.key_ops, delete jwk.use, jwk.kty !== "AKP" && delete jwk.alg;
	for (const parameter of Object.keys(jwk)) jwk[parameter] === void 0 && delete jwk[parameter];
	return jwk;
}

// node_modules/jose/dist/webapi/jwk/thumbprint.js
const check = (value, description) => {
	if (typeof value != "string" || !value) throw new JWKInvalid(`${description} missing or invalid`);
};
async function calculateJwkThumbprint(key, digestAlgorithm) {
	let jwk;
	if (isObject(key)) {
		if (jwk = snapshotJwk(key), typeof jwk.kty != "string") throw new TypeError(invalidKeyInput(key, "CryptoKey", "KeyObject", "JSON Web Key"));
	} else if (isKeyLike(key)) jwk = snapshotJwk(await exportJWK(key));
	else throw new TypeError(invalidKeyInput(key, "CryptoKey", "KeyObject", "JSON Web Key"));
	if (digestAlgorithm ??= "sha256", digestAlgorithm !== "sha256" && digestAlgorithm !== "sha384" && digestAlgorithm !== "sha512") throw new TypeError("digestAlgorithm must one of \"sha256\", \"sha384\", or \"sha512\"");
	let requiredMembers;
	switch (jwk.kty) {
		case "AKP":
			check(jwk.alg, "\"alg\" (Algorithm) Parameter"), check(jwk.pub, "\"pub\" (Public key) Parameter"), requiredMembers = {
				alg: jwk.alg,
				kty: jwk.kty,
				pub: jwk.pub
			};
			break;
		case "EC":
			check(jwk.crv, "\"crv\" (Curve) Parameter"), check(jwk.x, "\"x\" (X Coordinate) Parameter"), check(jwk.y, "\"y\" (Y Coordinate) Parameter"), requiredMembers = {
				crv: jwk.crv,
				kty: jwk.kty,
				x: jwk.x,
				y: jwk.y
			};
			break;
		case "OKP":
			check(jwk.crv, "\"crv\" (Subtype of Key Pair) Parameter"), check(jwk.x, "\"x\" (Public Key) Parameter"), requiredMembers = {
				crv: jwk.crv,
				kty: jwk.kty,
				x: jwk.x
			};
			break;
		case "RSA":
			check(jwk.e, "\"e\" (Exponent) Parameter"), check(jwk.n, "\"n\" (Modulus) Parameter"), requiredMembers = {
				e: jwk.e,
				kty: jwk.kty,
				n: jwk.n
			};
			break;
		case "oct":
			if (typeof jwk.k != "string") throw new JWKInvalid("\"k\" (Key Value) Parameter missing or invalid");
			requiredMembers = {
				k: jwk.k,
				kty: jwk.kty
			};
			break;
		default: throw new JOSENotSupported("\"kty\" (Key Type) Parameter missing or unsupported");
	}
	const thumbprintInput = encode$2(JSON.stringify(requiredMembers));
	return encode$1(await digest(digestAlgorithm, thumbprintInput));
}

// node_modules/jose/dist/webapi/jwk/embedded.js
async function EmbeddedJWK(protectedHeader, token) {
	const joseHeader = {
		...protectedHeader,
		...token?.header
	};
	if (!isObject(joseHeader.jwk)) throw new JWSInvalid("\"jwk\" (JSON Web Key) Header Parameter must be a JSON object");
	let jwk;
	try {
		jwk = normalizeJwk(joseHeader.jwk);
	} catch (cause) {
		throw new JWSInvalid("Invalid Embedded JWK", { cause });
	}
	const entry = jwsAlgorithm(joseHeader.alg);
	if (jwk.use !== void 0 && jwk.use !== "sig") throw new JWSInvalid("Invalid Embedded JWK, its \"use\" must be \"sig\" when present");
	if (jwk.alg !== void 0 && jwk.alg !== entry.alg) throw new JWSInvalid(`Invalid Embedded JWK, its "alg" must be "${entry.alg}" when present`);
	const key = await jwkToKey(entry, jwk, !0);
	if (key.type !== "public") throw new JWSInvalid("\"jwk\" (JSON Web Key) Header Parameter must be a public key");
	return key;
}

// node_modules/jose/dist/webapi/jwt/unsecured.js
const UnsecuredJWT_base = JWTClaimsBuilder;
var UnsecuredJWT = class extends UnsecuredJWT_base {
	encode() {
		return `${encode$1(JSON.stringify({ alg: "none" }))}.${encode$1(jwtClaimsSetBytes(this))}.`;
	}
	static decode(jwt, options) {
		if (typeof jwt != "string") throw new JWTInvalid("Unsecured JWT must be a string");
		const { 0: encodedHeader, 1: encodedPayload, 2: signature, length } = jwt.split(".");
		if (length !== 3 || signature !== "") throw new JWTInvalid("Invalid Unsecured JWT");
		let header, b64;
		try {
			header = parseJoseHeader(encodedHeader, JWSInvalid, "JWS Protected Header is invalid");
			const extensions = validateCrit(JWSInvalid, JWS_RECOGNIZED, void 0, header, header);
			b64 = validateB64(header, extensions);
		} catch (cause) {
			throw cause instanceof JWSInvalid ? new JWTInvalid("Invalid Unsecured JWT", { cause }) : cause;
		}
		if (header.alg !== "none") throw new JWTInvalid("Invalid Unsecured JWT");
		if (!b64) throw new JWTInvalid("JWTs MUST NOT use unencoded payload");
		return {
			payload: validateClaimsSet(header, decodeBase64url(encodedPayload, "payload", JWTInvalid), options),
			header
		};
	}
};

// node_modules/jose/dist/webapi/key/import.js
async function importJWK(jwk, alg, options) {
	if (!isObject(jwk)) throw new TypeError("JWK must be an object");
	const normalized = normalizeJwk(jwk), extractable = validateExtractableOption(options?.extractable), { alg: jwkAlg } = normalized;
	if (alg ??= jwkAlg, normalized.kty !== "oct" && !alg) throw new TypeError("\"alg\" argument is required when \"jwk.alg\" is not present");
	switch (normalized.kty) {
		case "oct":
			if (typeof normalized.k != "string") throw new TypeError("missing \"k\" (Key Value) Parameter value");
			return decode$1(normalized.k);
		case "AKP":
			if (typeof jwkAlg != "string" || !jwkAlg) throw new TypeError("missing \"alg\" (Algorithm) Parameter value");
			if (alg !== jwkAlg) throw new TypeError("JWK alg and alg option value mismatch");
			return jwkToKey(keyAlgorithm(alg), normalized, extractable);
		case "RSA":
		case "EC":
		case "OKP": return jwkToKey(keyAlgorithm(alg), normalized, extractable);
		default: throw new JOSENotSupported("Unsupported \"kty\" (Key Type) Parameter value");
	}
}

// node_modules/jose/dist/webapi/util/decode_protected_header.js
function decodeProtectedHeader(token) {
	let encodedProtectedHeader;
	if (typeof token == "string") {
		const parts = token.split(".");
		(parts.length === 3 || parts.length === 5) && ([encodedProtectedHeader] = parts);
	} else if (typeof token == "object" && token) if ("protected" in token) encodedProtectedHeader = token.protected;
	else throw new TypeError("Token does not contain a Protected Header");
	const invalid = "Invalid Token or Protected Header formatting";
	if (typeof encodedProtectedHeader != "string" || !encodedProtectedHeader) throw new TypeError(invalid);
	return parseJoseHeader(encodedProtectedHeader, TypeError, invalid);
}

// node_modules/jose/dist/webapi/util/decode_jwt.js
function decodeJwt(jwt) {
	if (typeof jwt != "string") throw new JWTInvalid("JWTs must use Compact JWS serialization, JWT must be a string");
	const { 1: encodedPayload, length } = jwt.split(".");
	if (length === 5) throw new JWTInvalid("Only JWTs using Compact JWS serialization can be decoded");
	if (length !== 3) throw new JWTInvalid("Invalid JWT");
	if (!encodedPayload) throw new JWTInvalid("JWTs must contain a payload");
	let claimsSetBytes;
	try {
		claimsSetBytes = decode$1(encodedPayload);
	} catch (cause) {
		throw new JWTInvalid("Failed to base64url decode the payload", { cause });
	}
	let claimsSet;
	try {
		claimsSet = JSON.parse(strictDecoder.decode(claimsSetBytes));
	} catch (cause) {
		throw new JWTInvalid("Failed to parse the decoded payload as JSON", { cause });
	}
	if (!isObject(claimsSet)) throw new JWTInvalid("Invalid JWT Claims Set");
	return claimsSet;
}

// node_modules/oidc-provider/lib/helpers/check_attest_binding.js
async function checkAttestBinding(ctx, model) {
	const { cnf: { jwk } } = decodeJwt(ctx.get("oauth-client-attestation"));
	if (model.attestationJkt !== await calculateJwkThumbprint(jwk)) throw new InvalidGrant$1("oauth-client-attestation instance public key mismatch");
}

// node_modules/oidc-provider/lib/helpers/assert_provider_context.js
function assertProviderContext(provider, ctx) {
	if (ctx?.oidc?.provider !== provider) throw new TypeError("provider does not match ctx.oidc.provider");
}

// node_modules/oidc-provider/lib/helpers/base64url.js
function encode(input, encoding = "utf8") {
	return Buffer.from(input, encoding).toString("base64url");
}
function encodeBuffer(buf) {
	return Buffer.prototype.base64urlSlice.call(buf);
}

// node_modules/oidc-provider/lib/helpers/challenge.js
function sixfourbeify(value) {
	const buf = Buffer.alloc(8);
	for (let i = buf.length - 1; i >= 0; i--) {
		buf[i] = value & 255;
		value >>= 8;
	}
	return buf;
}
function compute(secret, info, step) {
	return encodeBuffer(Buffer.from(hkdfSync("sha256", secret, sixfourbeify(step), info, 32)));
}
function compare(server, client) {
	let result = 0;
	if (server.length !== client.length) {
		result = 1;
		client = server;
	}
	for (let i = 0; i < server.length; i++) result |= server.charCodeAt(i) ^ client.charCodeAt(i);
	return result;
}
const STEP = 60;
var ServerChallenge = class {
	#info;
	#secret;
	#step;
	#values;
	constructor(secret, info) {
		if (!Buffer.isBuffer(secret) || secret.byteLength !== 32) throw new TypeError("Challenge secret must be a 32-byte Buffer instance");
		if (typeof info !== "string" || !info.length) throw new TypeError("Challenge info must be a non-empty string");
		this.#info = info;
		this.#secret = Uint8Array.prototype.slice.call(secret);
	}
	#window() {
		const step = Math.floor(epoch_time_default() / STEP);
		if (step !== this.#step) {
			this.#step = step;
			this.#values = [
				step - 2,
				step - 1,
				step,
				step + 1,
				step + 2
			].map(compute.bind(void 0, this.#secret, this.#info));
		}
		return this.#values;
	}
	nextChallenge() {
		return this.#window()[3];
	}
	checkChallenge(challenge) {
		let matched = 0;
		for (const server of this.#window()) {
			const result = compare(server, challenge);
			matched |= (result | -result) >>> 31 ^ 1;
		}
		return matched === 1;
	}
};

// node_modules/oidc-provider/lib/helpers/validate_dpop.js
const weakMap = /* @__PURE__ */ new WeakMap();
const combinedReplayChecks = /* @__PURE__ */ new WeakMap();
function getDpopJwt(provider, ctx) {
	assertProviderContext(provider, ctx);
	return weakMap.get(ctx)?.jwt;
}
async function checkDpopReplay(provider, ctx, dPoP, clientId, ErrorClass = InvalidGrant$1) {
	assertProviderContext(provider, ctx);
	if (!dPoP || get$2(provider).features.dPoP.allowReplay) return;
	const combined = ctx.oidc.clientAttestation?.method === "dpop_combined" && ctx.oidc.client.clientId === clientId && weakMap.get(ctx)?.result === dPoP;
	if (combined && combinedReplayChecks.get(ctx) === dPoP) return;
	const unique = await provider.ReplayDetection.unique(clientId, dPoP.jti, epoch_time_default() + 300);
	ctx.assert(unique, new ErrorClass("DPoP proof JWT Replay detected"));
	if (combined) combinedReplayChecks.set(ctx, dPoP);
}
async function validateDpop(provider, ctx, accessToken) {
	assertProviderContext(provider, ctx);
	if (weakMap.has(ctx)) {
		const { result, jwt } = weakMap.get(ctx);
		if (accessToken && jwt.payload.ath !== crypto$1.hash("sha256", accessToken, "base64url")) throw new InvalidDpopProof("DPoP proof ath mismatch");
		return result;
	}
	const { features: { dPoP: dPoPConfig }, dPoPSigningAlgValues } = get$2(provider).configuration;
	if (!dPoPConfig.enabled) return;
	const proof = ctx.get("DPoP");
	if (!proof) return;
	const { DPoPNonces } = get$2(provider);
	const requireNonce = boolean(dPoPConfig.requireNonce(ctx), "features.dPoP.requireNonce");
	if (requireNonce && !DPoPNonces) throw new Error("features.dPoP.nonceSecret configuration is missing");
	const nextNonce = DPoPNonces?.nextChallenge();
	let payload;
	let protectedHeader;
	let jwt;
	try {
		jwt = await jwtVerify(proof, EmbeddedJWK, {
			algorithms: dPoPSigningAlgValues,
			typ: "dpop+jwt"
		});
		({protectedHeader, payload} = jwt);
		if (typeof payload.iat !== "number" || !payload.iat) throw new InvalidDpopProof("DPoP proof must have a iat number property");
		if (typeof payload.jti !== "string" || !payload.jti) throw new InvalidDpopProof("DPoP proof must have a jti string property");
		if (payload.nonce !== void 0 && typeof payload.nonce !== "string") throw new InvalidDpopProof("DPoP proof nonce must be a string");
		if (!payload.nonce) {
			const now = epoch_time_default();
			if (Math.abs(now - payload.iat) > 300) {
				if (nextNonce) {
					ctx.set("dpop-nonce", nextNonce);
					throw new UseDpopNonce("DPoP proof iat is not recent enough, use a DPoP nonce instead");
				}
				throw new InvalidDpopProof("DPoP proof iat is not recent enough");
			}
		} else if (!DPoPNonces) throw new InvalidDpopProof("DPoP nonces are not supported");
		if (payload.htm !== ctx.method) throw new InvalidDpopProof("DPoP proof htm mismatch");
		{
			const expected = new URL(ctx.oidc.urlFor(ctx.oidc.route)).href;
			if (typeof payload.htu !== "string") throw new InvalidDpopProof("DPoP proof htu mismatch");
			const actual = URL.parse(payload.htu);
			if (!actual) throw new InvalidDpopProof("DPoP proof htu mismatch");
			actual.hash = "";
			actual.search = "";
			if (actual?.href !== expected) throw new InvalidDpopProof("DPoP proof htu mismatch");
		}
		if (accessToken) {
			const ath = crypto$1.hash("sha256", accessToken, "base64url");
			if (payload.ath !== ath) throw new InvalidDpopProof("DPoP proof ath mismatch");
		}
	} catch (cause) {
		if (cause instanceof InvalidDpopProof || cause instanceof UseDpopNonce) throw cause;
		throw new InvalidDpopProof("invalid DPoP key binding", { cause });
	}
	if (!payload.nonce && requireNonce) {
		ctx.set("dpop-nonce", nextNonce);
		throw new UseDpopNonce("nonce is required in the DPoP proof");
	}
	if (payload.nonce && !DPoPNonces.checkChallenge(payload.nonce)) {
		ctx.set("dpop-nonce", nextNonce);
		throw new UseDpopNonce("invalid nonce in DPoP proof");
	}
	if (payload.nonce !== nextNonce) ctx.set("dpop-nonce", nextNonce);
	const result = {
		thumbprint: await calculateJwkThumbprint(protectedHeader.jwk),
		jti: payload.jti,
		iat: payload.iat
	};
	weakMap.set(ctx, {
		result,
		jwt
	});
	return result;
}

// node_modules/oidc-provider/lib/consts/non_rejectable_claims.js
const NON_REJECTABLE_CLAIMS = /* @__PURE__ */ new Set([
	"sub",
	"sid",
	"auth_time",
	"acr",
	"amr",
	"iss"
]);

// node_modules/oidc-provider/lib/helpers/filter_claims.js
var filter_claims_default = (source, target, grant) => {
	const claims = { ...source?.[target] };
	const requested = Object.keys(claims);
	const granted = new Set(grant.getOIDCClaimsFiltered(new Set(requested)));
	for (const claim of requested) {
		if (NON_REJECTABLE_CLAIMS.has(claim)) continue;
		if (!granted.has(claim)) delete claims[claim];
	}
	return claims;
};

// node_modules/oidc-provider/lib/helpers/account_claims.js
async function getCtxAccountClaims(ctx, use, scope, claims, rejected) {
	return {
		...await ctx.oidc.account.claims(use, scope, claims, rejected),
		sub: ctx.oidc.account.accountId
	};
}

// node_modules/oidc-provider/lib/helpers/revoke.js
async function revoke(ctx, grantId) {
	if (!grantId) return;
	const { oidc: { client, provider } } = ctx;
	const { grantTypes, revokeGrantPolicy } = get$2(provider).configuration;
	const refreshToken = client ? client.grantTypeAllowed("refresh_token") : grantTypes.has("refresh_token");
	const authorizationCode = client ? client.grantTypeAllowed("authorization_code") : grantTypes.has("authorization_code");
	const deviceCode = client ? client.grantTypeAllowed("urn:ietf:params:oauth:grant-type:device_code") : grantTypes.has("urn:ietf:params:oauth:grant-type:device_code");
	const backchannelAuthenticationRequest = client ? client.grantTypeAllowed("urn:openid:params:grant-type:ciba") : grantTypes.has("urn:openid:params:grant-type:ciba");
	const preAuthorizedCode = client ? client.grantTypeAllowed("urn:ietf:params:oauth:grant-type:pre-authorized_code") : grantTypes.has("urn:ietf:params:oauth:grant-type:pre-authorized_code");
	const revokeGrant = boolean(await revokeGrantPolicy(ctx), "revokeGrantPolicy");
	await Promise.all([
		provider.AccessToken,
		refreshToken ? provider.RefreshToken : void 0,
		authorizationCode ? provider.AuthorizationCode : void 0,
		deviceCode ? provider.DeviceCode : void 0,
		backchannelAuthenticationRequest ? provider.BackchannelAuthenticationRequest : void 0,
		preAuthorizedCode ? provider.PreAuthorizedCode : void 0
	].map((model) => model?.revokeByGrantId(grantId)).concat(revokeGrant ? provider.Grant.adapter.destroy(grantId) : void 0));
	if (revokeGrant) ctx.oidc.provider.emit("grant.revoked", ctx, grantId);
}

// node_modules/oidc-provider/lib/helpers/grant_source.js
async function findGrantSource(provider, ctx, Model, value, label) {
	assertProviderContext(provider, ctx);
	const source = await Model.find(value, { ignoreExpiration: true });
	if (!source) throw new InvalidGrant$1(`${label} not found`);
	if (source.clientId !== ctx.oidc.client.clientId) throw new InvalidGrant$1("client mismatch");
	return source;
}
async function consumeGrantSource(provider, ctx, source, label) {
	assertProviderContext(provider, ctx);
	if (source.consumed) {
		await revoke(ctx, source.grantId);
		throw new InvalidGrant$1(`${label} already consumed`);
	}
	await source.consume();
}
async function validateGrant(provider, ctx, grantId) {
	assertProviderContext(provider, ctx);
	const grant = await provider.Grant.find(grantId, { ignoreExpiration: true });
	if (!grant) throw new InvalidGrant$1("grant not found");
	if (grant.isExpired) throw new InvalidGrant$1("grant is expired");
	if (grant.clientId !== ctx.oidc.client.clientId) throw new InvalidGrant$1("client mismatch");
	return grant;
}
async function findAccount(provider, ctx, accountId, source) {
	assertProviderContext(provider, ctx);
	return account(await get$2(provider).configuration.findAccount(ctx, accountId, source));
}

// node_modules/oidc-provider/lib/helpers/set_rt_bindings.js
async function setRefreshTokenBindings(ctx, at, rt) {
	switch (ctx.oidc.client.clientAuthMethod) {
		case "none":
			if (at.jkt) rt.jkt = at.jkt;
			if (at["x5t#S256"]) rt["x5t#S256"] = at["x5t#S256"];
			break;
		case "attest_jwt_client_auth":
		case "attest_jwt_client_auth_dpop": await rt.setAttestBinding(ctx);
	}
}

// node_modules/oidc-provider/lib/helpers/grant_refresh_token.js
async function shouldIssueRefreshToken(provider, ctx, source) {
	assertProviderContext(provider, ctx);
	return boolean(await get$2(provider).configuration.issueRefreshToken(ctx, ctx.oidc.client, source), "issueRefreshToken");
}
function applyRefreshTokenBindings(provider, ctx, accessToken, refreshToken) {
	assertProviderContext(provider, ctx);
	return setRefreshTokenBindings(ctx, accessToken, refreshToken);
}

// node_modules/oidc-provider/lib/helpers/grant_common.js
const { InvalidGrant } = errors_exports$1;
const errorMap$2 = { ...errors_exports$1 };
function throwIfAsyncGrantError(entity) {
	if (entity.error) {
		const className = upper_first_default(camel_case_default(entity.error));
		if (errorMap$2[className]) throw new errorMap$2[className](entity.errorDescription);
		throw new CustomOIDCProviderError(entity.error, entity.errorDescription);
	}
}
async function validateAccount(provider, ctx, code, entityLabel) {
	const account = await findAccount(provider, ctx, code.accountId, code);
	if (!account) throw new InvalidGrant(`${entityLabel} invalid (referenced account not found)`);
	return account;
}
function checkAccountMismatch(code, grant) {
	if (code.accountId !== grant.accountId) throw new InvalidGrant("accountId mismatch");
}
function createAccessToken(provider, ctx, source, gty) {
	assertProviderContext(provider, ctx);
	return new provider.AccessToken({
		accountId: source.accountId,
		client: ctx.oidc.client,
		expiresWithSession: source.expiresWithSession,
		grantId: source.grantId,
		gty,
		rar: source.rar,
		sessionUid: source.sessionUid,
		sid: source.sid
	});
}
function applyMtlsBinding(at, cert) {
	if (cert) at.setThumbprint("x5t", cert);
}
async function applyDpopBinding(provider, ctx, dPoP, at) {
	assertProviderContext(provider, ctx);
	if (dPoP) {
		await checkDpopReplay(provider, ctx, dPoP, ctx.oidc.client.clientId, InvalidGrant);
		at.setThumbprint("jkt", dPoP.thumbprint);
	}
}
async function issueTokens(provider, helpers, ctx, source, grant, { gty, entityLabel, cert, dPoP }) {
	const { resolveAndApplyResource, applyAuthorizationDetails, buildTokenResponse } = helpers;
	const account = await validateAccount(provider, ctx, source, entityLabel);
	checkAccountMismatch(source, grant);
	ctx.oidc.entity("Account", account);
	const at = createAccessToken(provider, ctx, {
		...source,
		accountId: account.accountId
	}, gty);
	applyMtlsBinding(at, cert);
	if (gty === "authorization_code" && source.dpopJkt && !dPoP) throw new InvalidGrant("missing DPoP proof JWT");
	await applyDpopBinding(provider, ctx, dPoP, at);
	if (gty === "authorization_code" && dPoP && source.dpopJkt && source.dpopJkt !== dPoP.thumbprint) throw new InvalidGrant("DPoP proof key thumbprint does not match dpop_jkt");
	await resolveAndApplyResource(ctx, source, at, grant);
	await applyAuthorizationDetails(ctx, at, source);
	ctx.oidc.entity("AccessToken", at);
	const accessToken = await at.save();
	let refreshToken;
	if (await shouldIssueRefreshToken(provider, ctx, source)) {
		const rt = new provider.RefreshToken({
			accountId: source.accountId,
			acr: source.acr,
			amr: source.amr,
			authTime: source.authTime,
			claims: source.claims,
			client: ctx.oidc.client,
			expiresWithSession: source.expiresWithSession,
			grantId: source.grantId,
			gty,
			nonce: source.nonce,
			resource: source.resource,
			rotations: 0,
			scope: source.scope,
			sessionUid: source.sessionUid,
			sid: source.sid,
			rar: source.rar
		});
		await applyRefreshTokenBindings(provider, ctx, at, rt);
		ctx.oidc.entity("RefreshToken", rt);
		refreshToken = await rt.save();
	}
	const idToken = gty === "pre_authorized_code" ? void 0 : await issueIdToken(provider, ctx, source, at, grant);
	ctx.body = buildTokenResponse({
		accessToken,
		authorizationDetails: at.rar,
		expiresIn: at.expiration,
		...gty === "pre_authorized_code" ? {} : { idToken },
		refreshToken,
		scope: source.scope ? at.scope : at.scope || void 0,
		tokenType: at.tokenType
	});
}
async function issueIdToken(provider, ctx, source, at, grant, scopeOverride) {
	assertProviderContext(provider, ctx);
	const { conformIdTokenClaims, features: { userinfo } } = get$2(provider).configuration;
	const scopes = scopeOverride || source.scopes;
	if (!scopes.has("openid")) return;
	const { IdToken } = provider;
	const claims = filter_claims_default(source.claims, "id_token", grant);
	const rejected = grant.getRejectedOIDCClaims();
	const token = new IdToken({
		...await getCtxAccountClaims(ctx, "id_token", !scopeOverride && typeof source.scope === "string" ? source.scope : [...scopes].join(" "), claims, rejected),
		acr: source.acr,
		amr: source.amr,
		auth_time: source.authTime
	}, { ctx });
	if (conformIdTokenClaims && userinfo.enabled && !at.aud) token.scope = "openid";
	else token.scope = grant.getOIDCScopeFiltered(scopes);
	token.mask = claims;
	token.rejected = rejected;
	token.set("nonce", source.nonce);
	token.set("sid", source.sid);
	return token.issue({ use: "idtoken" });
}

// node_modules/oidc-provider/lib/actions/grants/authorization_code.js
var authorization_code_exports = /* @__PURE__ */ __exportAll({
	grantType: () => grantType$5,
	handler: () => handler$5,
	parameters: () => parameters$5
});
const gty$4 = "authorization_code";
const handler$5 = async function authorizationCodeHandler(provider, helpers, ctx) {
	const { checkDpopRequired, checkMtlsCert, validateDpop, findGrantSource, consumeGrantSource, validateGrant } = helpers;
	const { allowOmittingSingleRegisteredRedirectUri } = get$2(provider).configuration;
	if (allowOmittingSingleRegisteredRedirectUri && ctx.oidc.params.redirect_uri === void 0) {
		const { 0: uri, length } = ctx.oidc.client.redirectUris;
		if (uri && length === 1) ctx.oidc.params.redirect_uri = uri;
	}
	validatePresence(ctx, "code", "redirect_uri");
	const dPoP = await validateDpop(ctx);
	const code = await findGrantSource(ctx, provider.AuthorizationCode, ctx.oidc.params.code, "authorization code");
	if (code.isExpired) throw new InvalidGrant$1("authorization code is expired");
	const grant = await validateGrant(ctx, code.grantId);
	checkPKCE$1(ctx.oidc.params.code_verifier, code.codeChallenge, code.codeChallengeMethod);
	const cert = checkMtlsCert(ctx);
	checkDpopRequired(ctx, dPoP);
	if (code.redirectUri !== ctx.oidc.params.redirect_uri) throw new InvalidGrant$1("authorization code redirect_uri mismatch");
	if (["attest_jwt_client_auth", "attest_jwt_client_auth_dpop"].includes(ctx.oidc.client.clientAuthMethod) && code.attestationJkt) await checkAttestBinding(ctx, code);
	await consumeGrantSource(ctx, code, "authorization code");
	ctx.oidc.entity("AuthorizationCode", code);
	ctx.oidc.entity("Grant", grant);
	await issueTokens(provider, helpers, ctx, code, grant, {
		gty: gty$4,
		entityLabel: "authorization code",
		cert,
		dPoP
	});
};
const parameters$5 = /* @__PURE__ */ new Set([
	"code",
	"code_verifier",
	"redirect_uri"
]);
const grantType$5 = gty$4;

// node_modules/oidc-provider/lib/actions/grants/client_credentials.js
var client_credentials_exports = /* @__PURE__ */ __exportAll({
	grantType: () => grantType$4,
	handler: () => handler$4,
	parameters: () => parameters$4
});
const handler$4 = async function clientCredentialsHandler(provider, helpers, ctx) {
	const { checkDpopRequired, checkMtlsCert, validateDpop, applyAuthorizationDetails, buildTokenResponse, resolveRequestedResources, validateClientScope } = helpers;
	const { client } = ctx.oidc;
	const { ClientCredentials } = provider;
	const dPoP = await validateDpop(ctx);
	const resourceServers = await resolveRequestedResources(ctx);
	const scopes = [...validateClientScope(ctx)];
	const token = new ClientCredentials({
		client,
		scope: scopes.join(" ") || void 0
	});
	const { 0: resourceServer, length } = resourceServers;
	if (resourceServer) {
		if (length !== 1) throw new InvalidTarget("only a single resource indicator value is supported for this grant type");
		token.resourceServer = resourceServer;
		token.scope = scopes.filter(Set.prototype.has.bind(new Set(resourceServer.scope.split(" ")))).join(" ") || void 0;
	}
	const cert = checkMtlsCert(ctx);
	if (cert) token.setThumbprint("x5t", cert);
	await applyDpopBinding(provider, ctx, dPoP, token);
	checkDpopRequired(ctx, dPoP);
	await applyAuthorizationDetails(ctx, token);
	ctx.oidc.entity("ClientCredentials", token);
	ctx.body = buildTokenResponse({
		accessToken: await token.save(),
		authorizationDetails: token.rar,
		expiresIn: token.expiration,
		scope: token.scope || void 0,
		tokenType: token.tokenType
	});
};
const parameters$4 = /* @__PURE__ */ new Set(["scope"]);
const grantType$4 = "client_credentials";

// node_modules/oidc-provider/lib/helpers/_/difference.js
var difference_default = (array, values) => array.filter((value) => values.indexOf(value) === -1);

// node_modules/oidc-provider/lib/helpers/certificate_thumbprint.js
function certThumbprint(cert) {
	let data;
	if (cert instanceof crypto$1.X509Certificate) data = cert.raw;
	else data = Buffer.from(cert.replace(/(?:-----(?:BEGIN|END) CERTIFICATE-----|\s|=)/g, ""), "base64");
	return crypto$1.hash("sha256", data, "base64url");
}

// node_modules/oidc-provider/lib/helpers/resolve_resource.js
var resolve_resource_default = async (ctx, model, config, scopes = model.scopes) => {
	let resource;
	if (config.resourceIndicators.enabled) {
		switch (true) {
			case !!ctx.oidc.params.resource:
				resource = ctx.oidc.params.resource;
				break;
			case !model.resource:
			case Array.isArray(model.resource) && model.resource.length === 0: break;
			case model.resource && boolean(await config.resourceIndicators.useGrantedResource(ctx, model), "features.resourceIndicators.useGrantedResource"):
			case !ctx.oidc.params.resource && (!config.userinfo.enabled || !scopes.has("openid")): resource = model.resource;
		}
		if (Array.isArray(resource)) resource = await config.resourceIndicators.defaultResource(ctx, ctx.oidc.client, resource);
		if (Array.isArray(resource)) throw new InvalidTarget("only a single resource indicator value must be requested/resolved during Access Token Request");
		if (resource && !model.resourceIndicators.has(resource)) throw new InvalidTarget();
	}
	return resource;
};

// node_modules/oidc-provider/lib/actions/grants/refresh_token.js
var refresh_token_exports = /* @__PURE__ */ __exportAll({
	grantType: () => grantType$3,
	handler: () => handler$3,
	parameters: () => parameters$3
});
const gty$3 = "refresh_token";
const handler$3 = async function refreshTokenHandler(provider, helpers, ctx) {
	const { checkDpopReplay, checkDpopRequired, validateDpop, validateGrant, applyAuthorizationDetails, buildTokenResponse } = helpers;
	validatePresence(ctx, "refresh_token");
	const { rotateRefreshToken, features: { userinfo, mTLS: { getCertificate }, resourceIndicators } } = get$2(provider).configuration;
	const { RefreshToken } = provider;
	const { client } = ctx.oidc;
	const dPoP = await validateDpop(ctx);
	let refreshTokenValue = ctx.oidc.params.refresh_token;
	let refreshToken = await RefreshToken.find(refreshTokenValue, { ignoreExpiration: true });
	if (!refreshToken) throw new InvalidGrant$1("refresh token not found");
	if (refreshToken.clientId !== client.clientId) throw new InvalidGrant$1("client mismatch");
	if (refreshToken.isExpired) throw new InvalidGrant$1("refresh token is expired");
	let cert;
	if (client.tlsClientCertificateBoundAccessTokens || refreshToken["x5t#S256"]) {
		cert = getCertificate(ctx);
		if (!cert) throw new InvalidGrant$1("mutual TLS client certificate not provided");
	}
	checkDpopRequired(ctx, dPoP);
	if (refreshToken["x5t#S256"] && refreshToken["x5t#S256"] !== certThumbprint(cert)) throw new InvalidGrant$1("failed x5t#S256 verification");
	const grant = await validateGrant(ctx, refreshToken.grantId);
	if (ctx.oidc.params.scope) {
		const missing = difference_default([...ctx.oidc.requestParamScopes], [...refreshToken.scopes]);
		if (missing.length !== 0) throw new InvalidScope(`refresh token missing requested ${pluralize("scope", missing.length)}`, missing.join(" "));
	}
	await checkDpopReplay(ctx, dPoP, client.clientId, InvalidGrant$1);
	if (refreshToken.jkt && (!dPoP || refreshToken.jkt !== dPoP.thumbprint)) throw new InvalidGrant$1("failed jkt verification");
	if (["attest_jwt_client_auth", "attest_jwt_client_auth_dpop"].includes(ctx.oidc.client.clientAuthMethod)) await checkAttestBinding(ctx, refreshToken);
	ctx.oidc.entity("RefreshToken", refreshToken);
	ctx.oidc.entity("Grant", grant);
	const account = await validateAccount(provider, ctx, refreshToken, "refresh token");
	checkAccountMismatch(refreshToken, grant);
	ctx.oidc.entity("Account", account);
	if (refreshToken.consumed) {
		await Promise.all([refreshToken.destroy(), revoke(ctx, refreshToken.grantId)]);
		throw new InvalidGrant$1("refresh token already used");
	}
	if (rotateRefreshToken === true || typeof rotateRefreshToken === "function" && boolean(await rotateRefreshToken(ctx), "rotateRefreshToken")) {
		await refreshToken.consume();
		ctx.oidc.entity("RotatedRefreshToken", refreshToken);
		refreshToken = new RefreshToken({
			accountId: refreshToken.accountId,
			acr: refreshToken.acr,
			amr: refreshToken.amr,
			authTime: refreshToken.authTime,
			claims: refreshToken.claims,
			client,
			expiresWithSession: refreshToken.expiresWithSession,
			iiat: refreshToken.iiat,
			grantId: refreshToken.grantId,
			gty: refreshToken.gty,
			nonce: refreshToken.nonce,
			resource: refreshToken.resource,
			rotations: typeof refreshToken.rotations === "number" ? refreshToken.rotations + 1 : 1,
			scope: refreshToken.scope,
			sessionUid: refreshToken.sessionUid,
			sid: refreshToken.sid,
			rar: refreshToken.rar,
			"x5t#S256": refreshToken["x5t#S256"],
			jkt: refreshToken.jkt,
			attestationJkt: refreshToken.attestationJkt
		});
		if (refreshToken.gty && !refreshToken.gty.endsWith(gty$3)) refreshToken.gty = `${refreshToken.gty} ${gty$3}`;
		ctx.oidc.entity("RefreshToken", refreshToken);
		refreshTokenValue = await refreshToken.save();
	}
	const at = createAccessToken(provider, ctx, {
		accountId: account.accountId,
		expiresWithSession: refreshToken.expiresWithSession,
		grantId: refreshToken.grantId,
		sessionUid: refreshToken.sessionUid,
		sid: refreshToken.sid
	}, refreshToken.gty);
	applyMtlsBinding(at, cert);
	if (dPoP) at.setThumbprint("jkt", dPoP.thumbprint);
	if (at.gty && !at.gty.endsWith(gty$3)) at.gty = `${at.gty} ${gty$3}`;
	const scope = ctx.oidc.params.scope ? ctx.oidc.requestParamScopes : refreshToken.scopes;
	const resource = await resolve_resource_default(ctx, refreshToken, {
		userinfo,
		resourceIndicators
	}, scope);
	if (resource) {
		const resourceServerInfo = resourceServer(await resourceIndicators.getResourceServerInfo(ctx, resource, ctx.oidc.client));
		at.resourceServer = new provider.ResourceServer(resource, resourceServerInfo);
		at.scope = grant.getResourceScopeFiltered(resource, [...scope].filter(Set.prototype.has.bind(at.resourceServer.scopes)));
	} else {
		at.claims = refreshToken.claims;
		at.scope = grant.getOIDCScopeFiltered(scope);
	}
	await applyAuthorizationDetails(ctx, at, refreshToken);
	ctx.oidc.entity("AccessToken", at);
	const accessToken = await at.save();
	const idToken = await issueIdToken(provider, ctx, refreshToken, at, grant, scope);
	ctx.body = buildTokenResponse({
		accessToken,
		authorizationDetails: at.rar,
		expiresIn: at.expiration,
		idToken,
		refreshToken: refreshTokenValue,
		scope: refreshToken.scope ? at.scope : at.scope || void 0,
		tokenType: at.tokenType
	});
};
const parameters$3 = /* @__PURE__ */ new Set(["refresh_token", "scope"]);
const grantType$3 = gty$3;

// node_modules/oidc-provider/lib/actions/grants/device_code.js
var device_code_exports = /* @__PURE__ */ __exportAll({
	grantType: () => grantType$2,
	gty: () => gty$2,
	handler: () => handler$2,
	parameters: () => parameters$2
});
const gty$2 = "device_code";
const handler$2 = async function deviceCodeHandler(provider, helpers, ctx) {
	const { checkDpopRequired, checkMtlsCert, validateDpop, findGrantSource, consumeGrantSource, validateGrant } = helpers;
	validatePresence(ctx, "device_code");
	const dPoP = await validateDpop(ctx);
	const code = await findGrantSource(ctx, provider.DeviceCode, ctx.oidc.params.device_code, "device code");
	if (["attest_jwt_client_auth", "attest_jwt_client_auth_dpop"].includes(ctx.oidc.client.clientAuthMethod)) await checkAttestBinding(ctx, code);
	const cert = checkMtlsCert(ctx);
	checkDpopRequired(ctx, dPoP);
	if (code.isExpired) throw new ExpiredToken("device code is expired");
	if (!code.accountId && !code.error) throw new AuthorizationPending();
	await consumeGrantSource(ctx, code, "device code");
	throwIfAsyncGrantError(code);
	const grant = await validateGrant(ctx, code.grantId);
	ctx.oidc.entity("DeviceCode", code);
	ctx.oidc.entity("Grant", grant);
	await issueTokens(provider, helpers, ctx, code, grant, {
		gty: gty$2,
		entityLabel: "device code",
		cert,
		dPoP
	});
};
const parameters$2 = /* @__PURE__ */ new Set(["device_code"]);
const grantType$2 = "urn:ietf:params:oauth:grant-type:device_code";

// node_modules/oidc-provider/lib/actions/grants/ciba.js
var ciba_exports = /* @__PURE__ */ __exportAll({
	grantType: () => grantType$1,
	gty: () => gty$1,
	handler: () => handler$1,
	parameters: () => parameters$1
});
const gty$1 = "ciba";
const handler$1 = async function cibaHandler(provider, helpers, ctx) {
	const { checkDpopRequired, checkMtlsCert, validateDpop, findGrantSource, consumeGrantSource, validateGrant } = helpers;
	validatePresence(ctx, "auth_req_id");
	const dPoP = await validateDpop(ctx);
	const request = await findGrantSource(ctx, provider.BackchannelAuthenticationRequest, ctx.oidc.params.auth_req_id, "backchannel authentication request");
	const cert = checkMtlsCert(ctx);
	checkDpopRequired(ctx, dPoP);
	if (request.isExpired) throw new ExpiredToken("backchannel authentication request is expired");
	if (!request.grantId && !request.error) throw new AuthorizationPending();
	if (["attest_jwt_client_auth", "attest_jwt_client_auth_dpop"].includes(ctx.oidc.client.clientAuthMethod)) await checkAttestBinding(ctx, request);
	await consumeGrantSource(ctx, request, "backchannel authentication request");
	throwIfAsyncGrantError(request);
	const grant = await validateGrant(ctx, request.grantId);
	ctx.oidc.entity("BackchannelAuthenticationRequest", request);
	ctx.oidc.entity("Grant", grant);
	await issueTokens(provider, helpers, ctx, request, grant, {
		gty: gty$1,
		entityLabel: "backchannel authentication request",
		cert,
		dPoP
	});
};
const parameters$1 = /* @__PURE__ */ new Set(["auth_req_id"]);
const grantType$1 = "urn:openid:params:grant-type:ciba";

// node_modules/oidc-provider/lib/actions/grants/pre_authorized_code.js
var pre_authorized_code_exports = /* @__PURE__ */ __exportAll({
	grantType: () => grantType,
	gty: () => gty,
	handler: () => handler,
	parameters: () => parameters
});
const gty = "pre_authorized_code";
const handler = async function preAuthorizedCodeHandler(provider, helpers, ctx) {
	const { checkDpopRequired, checkMtlsCert, validateDpop, findGrantSource, consumeGrantSource, validateGrant } = helpers;
	validatePresence(ctx, "pre-authorized_code");
	const dPoP = await validateDpop(ctx);
	const code = await findGrantSource(ctx, provider.PreAuthorizedCode, ctx.oidc.params["pre-authorized_code"], "pre-authorized code");
	const cert = checkMtlsCert(ctx);
	checkDpopRequired(ctx, dPoP);
	if (code.isExpired) throw new InvalidGrant$1("pre-authorized code is expired");
	if (code.txCode !== void 0) validatePresence(ctx, "tx_code");
	else if (ctx.oidc.params.tx_code !== void 0) throw new InvalidRequest("tx_code is not expected for this pre-authorized code");
	await consumeGrantSource(ctx, code, "pre-authorized code");
	if (code.txCode !== void 0 && (typeof ctx.oidc.params.tx_code !== "string" || !constantEquals(code.txCode, ctx.oidc.params.tx_code, 1e3))) {
		await revoke(ctx, code.grantId);
		throw new InvalidGrant$1("invalid tx_code provided");
	}
	const grant = await validateGrant(ctx, code.grantId);
	ctx.oidc.entity("PreAuthorizedCode", code);
	ctx.oidc.entity("Grant", grant);
	await issueTokens(provider, helpers, ctx, code, grant, {
		gty,
		entityLabel: "pre-authorized code",
		cert,
		dPoP
	});
};
const parameters = /* @__PURE__ */ new Set(["pre-authorized_code", "tx_code"]);
const grantType = "urn:ietf:params:oauth:grant-type:pre-authorized_code";

// node_modules/oidc-provider/lib/actions/grants/index.js
var grants_exports$1 = /* @__PURE__ */ __exportAll({
	authorization_code: () => authorization_code_exports,
	ciba: () => ciba_exports,
	client_credentials: () => client_credentials_exports,
	device_code: () => device_code_exports,
	pre_authorized_code: () => pre_authorized_code_exports,
	refresh_token: () => refresh_token_exports
});

// node_modules/oidc-provider/lib/helpers/script_src_sha.js
function pushScriptSrcSha(ctx, script) {
	const csp = ctx.response.get("content-security-policy");
	if (csp) {
		const directives = csp.split(";").reduce((acc, directive) => {
			const [name, ...values] = directive.trim().split(/\s+/g);
			acc[name] = values;
			return acc;
		}, {});
		if (directives["script-src"]) {
			const digest = crypto$1.hash("sha256", script, "base64");
			directives["script-src"].push(`'sha256-${digest}'`);
			const replaced = Object.entries(directives).map(([name, values]) => [name, ...values].join(" ")).join(";");
			ctx.set("content-security-policy", replaced);
		}
	}
	return script;
}

// node_modules/oidc-provider/lib/response_modes/form_post.js
const statusCodes$1 = /* @__PURE__ */ new Set([
	200,
	400,
	500
]);
function formPost(ctx, action, inputs) {
	ctx.type = "html";
	if (!statusCodes$1.has(ctx.status)) ctx.status = "error" in inputs ? 400 : 200;
	const formInputs = Object.entries(inputs).map(([key, value]) => `<input type="hidden" name="${key}" value="${htmlSafe(value)}"/>`).join("\n");
	ctx.body = `<!DOCTYPE html>
<html>
<head>
  <meta http-equiv="X-UA-Compatible" content="IE=edge">
  <title>Submitting Callback</title>
  <script>${pushScriptSrcSha(ctx, `
    document.addEventListener('DOMContentLoaded', function () { document.forms[0].submit() });
  `)}<\/script>
</head>
<body>
  <form method="post" action="${htmlSafe(action)}">
    ${formInputs}
    <noscript>
      Your browser does not support JavaScript or you've disabled it.<br/>
      <button autofocus type="submit">Continue</button>
    </noscript>
  </form>
</body>
</html>`;
}

// node_modules/oidc-provider/lib/helpers/redirect_uri.js
function redirectUri(uri, payload, mode) {
	const parsed = new URL(uri);
	switch (mode) {
		case "fragment":
			parsed.hash = new URLSearchParams(payload).toString();
			break;
		default: for (const [k, v] of Object.entries(payload)) parsed.searchParams.set(k, v);
	}
	return parsed.href;
}

// node_modules/oidc-provider/lib/response_modes/fragment.js
var fragment_default = (ctx, redirectUri$2, payload) => {
	const uri = redirectUri(redirectUri$2, payload, "fragment");
	ctx.status = 303;
	ctx.redirect(uri);
};

// node_modules/oidc-provider/lib/response_modes/query.js
var query_default = (ctx, redirectUri$1, payload) => {
	const uri = redirectUri(redirectUri$1, payload, "query");
	ctx.status = 303;
	ctx.redirect(uri);
};

// node_modules/oidc-provider/lib/response_modes/web_message.js
const statusCodes = /* @__PURE__ */ new Set([
	200,
	400,
	500
]);
const SCRIPT_UNSAFE = /[<>&\u2028\u2029]/g;
const escapeScriptContext = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`;
function webMessage(ctx, redirectUri, response) {
	ctx.type = "html";
	if (!statusCodes.has(ctx.status)) ctx.status = "error" in response ? 400 : 200;
	ctx.response.remove("x-frame-options");
	const csp = ctx.response.get("content-security-policy");
	if (csp?.includes("frame-ancestors")) ctx.set("content-security-policy", csp.split(";").filter((directive) => !directive.includes("frame-ancestors")).join(";"));
	const data = JSON.stringify({
		response,
		redirect_uri: redirectUri
	}).replace(SCRIPT_UNSAFE, escapeScriptContext);
	ctx.body = `<!DOCTYPE html>
<html>
<head>
  <meta http-equiv="X-UA-Compatible" content="IE=edge">
  <meta charset="utf-8">
  <title>Web Message Response</title>
</head>
<body>
  <script>${pushScriptSrcSha(ctx, `
    (function(win, doc) {
      var data = ${data};

      var response = data.response;
      var redirect_uri = data.redirect_uri;

      var authorization_response = { type: 'authorization_response', response: response };

      var respond = function (target, origin) {
        doc.scripts[0].parentElement.removeChild(doc.scripts[0]);
        target.postMessage(authorization_response, origin);
        win.close();
      };

      var mainWin = win.opener || win.parent;
      respond(mainWin, redirect_uri);
    })(this, this.document);
  `)}<\/script>
</body>
</html>`;
}

// node_modules/oidc-provider/lib/response_modes/jwt.js
const modes = {
	query: query_default,
	fragment: fragment_default,
	form_post: formPost,
	web_message: webMessage
};
const RENDER_MODES = /* @__PURE__ */ new Set(["form_post", "web_message"]);
async function jwtResponseModes(ctx, redirectUri, payload) {
	const { params } = ctx.oidc;
	let mode;
	if (params.response_mode === "jwt") {
		if (typeof params.response_type === "string" && params.response_type.includes("token")) mode = "fragment";
		else mode = "query";
	} else [mode] = params.response_mode.split(".");
	const { IdToken } = this;
	const token = new IdToken({}, { ctx });
	token.extra = payload;
	const response = await token.issue({ use: "authorization" });
	if (RENDER_MODES.has(mode)) {
		if ("error" in payload && payload.error !== "server_error") ctx.status = 400;
	}
	return modes[mode](ctx, redirectUri, { response });
}

// node_modules/oidc-provider/lib/helpers/user_code_form.js
function input(action, csrfToken, code, charset) {
	const attributes = charset === "digits" ? "pattern=\"[0-9]*\" inputmode=\"numeric\" " : "";
	return `<form id="op.deviceInputForm" novalidate method="post" action="${action}">
  <input type="hidden" name="xsrf" value="${csrfToken}"/>
  <input
    ${code ? `value="${htmlSafe(code)}" ` : ""}${attributes}type="text" name="user_code" placeholder="Enter code" onfocus="this.select(); this.onfocus = undefined;" autofocus autocomplete="off"></input>
  </form>`;
}
function confirm$1(action, csrfToken, code) {
	return `<form id="op.deviceConfirmForm" method="post" action="${action}">
<input type="hidden" name="xsrf" value="${csrfToken}"/>
<input type="hidden" name="user_code" value="${htmlSafe(code)}"/>
<input type="hidden" name="confirm" value="yes"/>
</form>`;
}

// node_modules/oidc-provider/lib/helpers/re_render_errors.js
var ReRenderError = class extends Error {
	constructor(message, userCode, options = void 0) {
		super(message, options);
		if (userCode) this.userCode = userCode;
		this.message = message;
		this.name = this.constructor.name;
		this.status = 200;
		this.statusCode = 200;
		this.expose = true;
		Error.captureStackTrace(this, this.constructor);
	}
};
var NotFoundError = class extends ReRenderError {
	constructor(userCode) {
		super("the code was not found", userCode);
	}
};
var ExpiredError = class extends ReRenderError {
	constructor(userCode) {
		super("the code has expired", userCode);
	}
};
var AbortedError = class extends ReRenderError {
	constructor(options = void 0) {
		super("the interaction was aborted", void 0, options);
	}
};
var AlreadyUsedError = class extends ReRenderError {
	constructor(userCode) {
		super("code has already been used", userCode);
	}
};
var NoCodeError = class extends ReRenderError {
	constructor() {
		super("no code submitted");
	}
};

// node_modules/oidc-provider/lib/helpers/err_out.js
var err_out_default = ({ expose, message, error_description: description, scope }, state) => {
	if (expose) return {
		error: message,
		...description !== void 0 ? { error_description: description } : void 0,
		...scope !== void 0 ? { scope } : void 0,
		...state !== void 0 ? { state } : void 0
	};
	return {
		error: "server_error",
		error_description: "oops! something went wrong",
		...state ? { state } : void 0
	};
};

// node_modules/oidc-provider/lib/shared/xsrf.js
function generateXsrf(ctx, next) {
	const secret = crypto$1.randomBytes(24).toString("hex");
	ctx.oidc.session.state = { secret };
	return next();
}
function checkXsrf(missingMessage) {
	return async function verifyXsrf(ctx, next) {
		if (!ctx.oidc.session.state) throw new InvalidRequest(missingMessage);
		if (!constantEquals(ctx.oidc.session.state.secret, ctx.oidc.params.xsrf || "")) throw new InvalidRequest("xsrf token invalid");
		await next();
	};
}

// node_modules/oidc-provider/lib/shared/error_handler.js
const debugError$1 = debug("oidc-provider:error");
const serverError$1 = debug("oidc-provider:server_error");
const serverErrorTrace$1 = debug("oidc-provider:server_error:trace");
const userInputRoutes = /* @__PURE__ */ new Set(["code_verification", "device_resume"]);
function getErrorHandler(eventName) {
	return async function errorHandler(ctx, next) {
		const { provider } = ctx.oidc;
		const { features: { deviceFlow: { charset, userCodeInputSource } } } = get$2(provider).configuration;
		try {
			await next();
		} catch (err) {
			const out = err_out_default(err);
			ctx.status = err.statusCode || 500;
			if (err.expose && !(err instanceof ReRenderError)) debugError$1("path=%s method=%s error=%o detail=%s", ctx.path, ctx.method, out, err.error_detail);
			else if (!(err instanceof ReRenderError)) {
				serverError$1("path=%s method=%s error=%o", ctx.path, ctx.method, err);
				serverErrorTrace$1(err);
			}
			if (ctx.oidc?.session && userInputRoutes.has(ctx.oidc.route)) {
				generateXsrf(ctx, () => {});
				const { secret } = ctx.oidc.session.state;
				await userCodeInputSource(ctx, input(ctx.oidc.urlFor("code_verification"), secret, err.userCode, charset), out, err);
				if (err instanceof ReRenderError) return;
			} else if (ctx.accepts("json", "html") === "html") {
				const { renderError } = get$2(provider).configuration;
				await renderError(ctx, out, err);
			} else ctx.body = out;
			if (out.error === "server_error") provider.emit("server_error", ctx, err);
			else if (eventName) provider.emit(eventName, ctx, err);
		}
	};
}

// node_modules/oidc-provider/lib/helpers/_/omit_by.js
var omit_by_default = (object, predicate) => {
	Object.entries(object).forEach(([key, value]) => {
		if (predicate(value, key)) delete object[key];
	});
	return object;
};

// node_modules/oidc-provider/lib/helpers/resolve_response_mode.js
function resolve$1(responseType) {
	return typeof responseType === "string" && responseType.includes("token") ? "fragment" : "query";
}
function isFrontChannel(responseType) {
	return resolve$1(responseType) === "fragment";
}

// node_modules/oidc-provider/lib/actions/authorization/response_parameters.js
function checkResponseMode(ctx, next) {
	const { params, client } = ctx.oidc;
	const frontChannel = isFrontChannel(params.response_type);
	const mode = ctx.oidc.responseMode;
	if (mode !== void 0 && !get$2(ctx.oidc.provider).responseModes.has(mode)) {
		params.response_mode = void 0;
		throw new UnsupportedResponseMode();
	}
	if (!ctx.oidc.client.responseModeAllowed(mode, params.response_type, ctx.oidc.fapiProfile)) throw new InvalidRequest("requested response_mode is not allowed for this client or request");
	const JWT = /jwt/.test(mode);
	if (mode !== void 0 && JWT && (/^HS/.test(client.authorizationSignedResponseAlg) || /^(A|dir$)/.test(client.authorizationEncryptedResponseAlg))) try {
		client.checkClientSecretExpiration("client secret is expired, cannot issue a JWT Authorization response");
	} catch (err) {
		const [explicit] = mode === "jwt" ? [void 0] : mode.split(".");
		params.response_mode = explicit || void 0;
		throw err;
	}
	const msg = "requested response_mode is not allowed for the requested response_type";
	if (mode === "query" && frontChannel) throw new InvalidRequest(msg);
	else if (mode === "query.jwt" && frontChannel && !client.authorizationEncryptedResponseAlg) throw new InvalidRequest(`${msg} unless encrypted`);
	return next();
}
function checkResponseType(ctx, next) {
	const { params } = ctx.oidc;
	const supported = get$2(ctx.oidc.provider).configuration.responseTypes;
	params.response_type = [...new Set(params.response_type.split(" "))].sort().join(" ");
	if (!supported.includes(params.response_type)) throw new UnsupportedResponseType();
	if (!ctx.oidc.client.responseTypeAllowed(params.response_type)) throw new InvalidRequest("requested response_type is not allowed for this client");
	return next();
}
function allowUnregisteredUri(ctx) {
	const { pushedAuthorizationRequests } = get$2(ctx.oidc.provider).features;
	return (ctx.oidc.route === "pushed_authorization_request" || "PushedAuthorizationRequest" in ctx.oidc.entities) && pushedAuthorizationRequests.allowUnregisteredRedirectUris && ctx.oidc.client.sectorIdentifierUri === void 0 && ctx.oidc.client.clientAuthMethod !== "none";
}
function validateUnregisteredUri(ctx) {
	const { redirectUris: validator } = ctx.oidc.provider.Client.Schema.prototype;
	validator.call({
		...ctx.oidc.client.metadata(),
		invalidate(detail) {
			throw new InvalidRequest(detail.replace("redirect_uris", "redirect_uri"));
		}
	}, [ctx.oidc.params.redirect_uri]);
	return true;
}
function checkRedirectUri(ctx, next) {
	if (!ctx.oidc.client.redirectUriAllowed(ctx.oidc.params.redirect_uri)) {
		if (!allowUnregisteredUri(ctx)) throw new InvalidRedirectUri();
		validateUnregisteredUri(ctx);
	}
	ctx.oidc.redirectUriCheckPerformed = true;
	return next();
}
function oneRedirectUriClients(ctx, next) {
	if (!get$2(ctx.oidc.provider).configuration.allowOmittingSingleRegisteredRedirectUri || ctx.oidc.isFapi("2.0")) return next();
	const { params, client } = ctx.oidc;
	if (params.redirect_uri === void 0 && client.redirectUris.length === 1) {
		ctx.oidc.redirectUriCheckPerformed = true;
		[params.redirect_uri] = client.redirectUris;
	}
	return next();
}
function oauthRequired(ctx, next) {
	validatePresence(ctx, "response_type", "client_id");
	return next();
}
function oidcRequired(ctx, next) {
	const { params } = ctx.oidc;
	const required = /* @__PURE__ */ new Set(["redirect_uri"]);
	if (typeof params.response_type === "string" && params.response_type.includes("id_token")) required.add("nonce");
	if (ctx.oidc.isFapi("1.0 Final")) required.add(ctx.oidc.requestParamScopes.has("openid") ? "nonce" : "state");
	validatePresence(ctx, ...required);
	return next();
}

// node_modules/oidc-provider/lib/shared/authorization_error_handler.js
const debugError = debug("oidc-provider:authentication:error");
const serverError = debug("oidc-provider:server_error");
const serverErrorTrace = debug("oidc-provider:server_error:trace");
const AD_ACTA_CHECKS = Object.entries({ redirect_uri: {
	Err: InvalidRedirectUri,
	method: "redirectUriAllowed",
	check: "redirectUriCheckPerformed",
	recovery: oneRedirectUriClients
} });
function getOutAndEmit(ctx, err, state) {
	const { provider } = ctx.oidc;
	const out = {
		...err_out_default(err, state),
		iss: ctx.oidc.provider.issuer
	};
	if (err.expose) {
		provider.emit("authorization.error", ctx, err);
		debugError("%o", out);
	} else {
		provider.emit("server_error", ctx, err);
		serverError("path=%s method=%s error=%o", ctx.path, ctx.method, err);
		serverErrorTrace(err);
	}
	return out;
}
function safe(param) {
	if (param && typeof param === "string") return param;
}
async function authorizationErrorHandler(ctx, next) {
	const { provider } = ctx.oidc;
	try {
		await next();
	} catch (caught) {
		let err = caught;
		ctx.status = err.statusCode || 500;
		const { oidc } = ctx;
		const { params = (ctx.method === "POST" ? oidc.body : ctx.query) || {} } = oidc;
		if (!oidc.client && safe(params.client_id) && !ctx.oidc.noclient) try {
			oidc.entity("Client", await provider.Client.find(safe(params.client_id)));
		} catch {}
		for (const [param, { Err, check, flag, method, recovery }] of AD_ACTA_CHECKS) if ((!flag || get$2(provider).configuration[flag]) && !(err instanceof Err) && oidc.client && !oidc[check]) {
			if (recovery && !safe(params[param])) recovery(ctx, () => {});
			if (safe(params[param]) && !oidc.client[method](params[param])) {
				getOutAndEmit(ctx, caught, safe(params.state));
				err = new Err();
				ctx.status = err.statusCode;
				break;
			}
		}
		const out = getOutAndEmit(ctx, err, safe(params.state));
		if (!safe(params.client_id) || safe(params.client_id) && !oidc.client || !safe(params.redirect_uri) || !err.allow_redirect) {
			const { renderError } = get$2(provider).configuration;
			await renderError(ctx, out, err);
		} else {
			let mode = safe(params.response_mode);
			if (!get$2(provider).responseModes.has(mode)) mode = resolve$1(safe(params.response_type));
			await get$2(provider).responseModes.get(mode)(ctx, safe(params.redirect_uri), omit_by_default(out, (value) => value === void 0));
		}
	}
}

// node_modules/oidc-provider/lib/helpers/params.js
var Params = class {
	constructor(allowList, params) {
		strict(allowList, "allowList must be present");
		allowList.forEach((prop) => {
			this[prop] = params[prop] || void 0;
		});
	}
	toPlainObject() {
		return omit_by_default({ ...this }, (val) => typeof val === "undefined");
	}
};

// node_modules/oidc-provider/lib/shared/assemble_params.js
function assembleParams(allowList, ctx, next) {
	const params = ctx.method === "POST" ? ctx.oidc.body : ctx.query;
	ctx.oidc.params = new Params(allowList, params);
	return next();
}

// node_modules/oidc-provider/lib/shared/session.js
async function sessionHandler(ctx, next) {
	ctx.oidc.session = new Proxy(await ctx.oidc.provider.Session.get(ctx), { set(obj, prop, value) {
		switch (prop) {
			case "touched":
				Reflect.defineProperty(obj, "touched", {
					writable: true,
					value
				});
				break;
			case "destroyed":
				Reflect.defineProperty(obj, "destroyed", {
					configurable: false,
					writable: true,
					value
				});
				Reflect.defineProperty(obj, "touched", {
					configurable: false,
					writable: false,
					value: false
				});
				break;
			default:
				if (prop === "accountId" && (typeof value !== "string" || !value)) throw new TypeError(`accountId must be a non-empty string, got: ${typeof value}`);
				Reflect.set(obj, prop, value);
				Reflect.defineProperty(obj, "touched", {
					writable: true,
					value: true
				});
		}
		return true;
	} });
	try {
		await next();
	} finally {
		const sessionCookieName = ctx.oidc.provider.cookieName("session");
		const longRegExp = new RegExp(`^${sessionCookieName}(?:\\.sig)?=`);
		if ((!ctx.oidc.session.new || ctx.oidc.session.touched) && !ctx.oidc.session.destroyed) {
			let ttl = get$2(ctx.oidc.provider).configuration.ttl.Session;
			if (typeof ttl === "function") ttl = ttl(ctx, ctx.oidc.session);
			ttl = positiveInteger(ttl, "ttl.Session");
			ctx.oidc.cookies.set(sessionCookieName, ctx.oidc.session.id, get$2(ctx.oidc.provider).configuration.cookies.long);
			await ctx.oidc.session.save(ttl);
		}
		let setCookie = ctx.response.get("set-cookie");
		if (setCookie) {
			if (typeof setCookie === "string") setCookie = [setCookie];
			setCookie.forEach((cookie, index, ary) => {
				if (!cookie.includes("expires=Thu, 01 Jan 1970") && cookie.match(longRegExp) && !ctx.oidc.session.transient && ctx.oidc.session.exp) ary[index] += `; expires=${(/* @__PURE__ */ new Date(ctx.oidc.session.exp * 1e3)).toUTCString()}`;
			});
		}
	}
}

// node_modules/oidc-provider/lib/helpers/normalize_authorization_details.js
const ARRAY_FIELDS = [
	"locations",
	"actions",
	"datatypes",
	"privileges"
];
function normalizeAuthorizationDetails(details, { ErrorConstructor = TypeError, label = "authorization details policy result" } = {}) {
	if (details === void 0 || Array.isArray(details) && details.length === 0) return;
	if (!Array.isArray(details)) throw new ErrorConstructor(`${label} should be a JSON array`);
	let i = 0;
	for (const detail of details) {
		if (!is_plain_object_default(detail)) throw new ErrorConstructor(`${label} members should be a JSON object`);
		if (!Object.hasOwn(detail, "type") || typeof detail.type !== "string" || !detail.type.length) throw new ErrorConstructor(`${label} members' type attribute must be a non-empty string (authorization details index ${i})`);
		for (const field of ARRAY_FIELDS) if (field in detail && (!Array.isArray(detail[field]) || detail[field].some((value) => typeof value !== "string" || !value.length))) throw new ErrorConstructor(`'${field}' must be an array of non-empty strings (authorization details index ${i})`);
		if ("identifier" in detail && (typeof detail.identifier !== "string" || !detail.identifier.length)) throw new ErrorConstructor(`'identifier' must be a non-empty string (authorization details index ${i})`);
		i++;
	}
	return details;
}

// node_modules/oidc-provider/lib/shared/check_rar.js
async function checkRar(ctx, next) {
	const { params, client } = ctx.oidc;
	if (params.authorization_details !== void 0) {
		const { richAuthorizationRequests } = get$2(ctx.oidc.provider).features;
		if (richAuthorizationRequests.enabled) {
			if (params.response_type?.split(" ").includes("code") === false || params.response_type?.split(" ").includes("token") || params.response_type === "none") throw new InvalidRequest("authorization_details parameter is not supported for this response_type");
			let details;
			try {
				details = JSON.parse(params.authorization_details);
			} catch (cause) {
				throw new InvalidAuthorizationDetails("could not parse the authorization_details parameter JSON", { cause });
			}
			details = normalizeAuthorizationDetails(details, {
				ErrorConstructor: InvalidAuthorizationDetails,
				label: "authorization_details parameter"
			});
			if (details === void 0) {
				params.authorization_details = void 0;
				return next();
			}
			let i = 0;
			for (const detail of details) {
				if (!Object.hasOwn(richAuthorizationRequests.types, detail.type)) throw new InvalidAuthorizationDetails(`unsupported authorization details type value (authorization details index ${i})`);
				const config = richAuthorizationRequests.types[detail.type];
				if (client.authorizationDetailsTypes?.includes(detail.type) === false) throw new InvalidAuthorizationDetails(`authorization details type '${detail.type}' is not allowed for this client`);
				await config.validate(ctx, detail, client);
				i++;
			}
		}
	}
	return next();
}

// node_modules/oidc-provider/lib/shared/check_resource.js
const filterStatics = (ctx) => {
	if (ctx.oidc.params.scope && !ctx.oidc.params.resource) ctx.oidc.params.scope = [...ctx.oidc.requestParamOIDCScopes].join(" ");
};
function emptyResource(params) {
	return !params.resource || Array.isArray(params.resource) && !params.resource.length;
}
async function resolveRequestedResources$1(provider, ctx) {
	assertProviderContext(provider, ctx);
	const { oidc: { params, client, resourceServers } } = ctx;
	const { defaultResource, enabled, getResourceServerInfo } = get$2(provider).features.resourceIndicators;
	if (!enabled) {
		filterStatics(ctx);
		return Object.values(resourceServers);
	}
	if (params.resource === void 0) {
		params.resource = await defaultResource(ctx, client);
		if (params.authorization_details && emptyResource(params)) throw new InvalidTarget("resource indicator must be provided or defaulted to when Rich Authorization Requests are used");
	}
	if (params.scope && emptyResource(params)) {
		filterStatics(ctx);
		return Object.values(resourceServers);
	}
	let { resource } = params;
	if (params.resource === void 0) return Object.values(resourceServers);
	if (!Array.isArray(params.resource)) resource = [resource];
	for (const identifier of resource) {
		const href = URL.parse(identifier)?.href;
		if (!href) throw new InvalidTarget("resource indicator must be an absolute URI");
		if (href.includes("#")) throw new InvalidTarget("resource indicator must not contain a fragment component");
		const resourceServer$1 = resourceServer(await getResourceServerInfo(ctx, identifier, client));
		resourceServers[identifier] = new provider.ResourceServer(identifier, resourceServer$1);
	}
	return Object.values(resourceServers);
}
async function checkResource(ctx, next) {
	await resolveRequestedResources$1(ctx.oidc.provider, ctx);
	return next();
}

// node_modules/oidc-provider/lib/helpers/append_www_authenticate.js
function appendWWWAuthenticate(ctx, scheme, fields) {
	const parameters = Object.entries(omit_by_default(fields, (v) => v === void 0)).map(([key, val]) => `${key}="${val.replace(/\\/g, "\\\\").replace(/"/g, "\\\"")}"`).join(", ");
	ctx.append("WWW-Authenticate", `${scheme} ${parameters}`);
}

// node_modules/oidc-provider/lib/helpers/jwt.js
const { JWEDecryptionFailed, JWKSNoMatchingKey, JWSSignatureVerificationFailed } = errors_exports;
function verifyAudience({ aud }, expected) {
	if (Array.isArray(aud)) {
		if (!aud.some((actual) => actual === expected)) throw new Error(`jwt audience missing ${expected}`);
	} else if (aud !== expected) throw new Error(`jwt audience missing ${expected}`);
}
async function sign(payload, key, alg, options = {}) {
	const protectedHeader = {
		alg,
		typ: options.typ,
		...options.fields
	};
	const timestamp = epoch_time_default();
	const iat = options.noIat ? void 0 : timestamp;
	Object.assign(payload, {
		aud: options.audience !== void 0 ? options.audience : payload.aud,
		exp: options.expiresIn !== void 0 ? timestamp + options.expiresIn : payload.exp,
		iat: payload.iat !== void 0 ? payload.iat : iat,
		iss: options.issuer !== void 0 ? options.issuer : payload.iss,
		sub: options.subject !== void 0 ? options.subject : payload.sub
	});
	if (key instanceof ExternalSigningKey) {
		const parts = [encode(JSON.stringify(protectedHeader)), encode(JSON.stringify(payload))];
		const data = Buffer.from(parts.join("."));
		parts.push(encodeBuffer(await key.sign(data)));
		return parts.join(".");
	}
	return new CompactSign(Buffer.from(JSON.stringify(payload))).setProtectedHeader(protectedHeader).sign(key);
}
function normalizeInput(input) {
	let jwt;
	if (Buffer.isBuffer(input)) jwt = input.toString("utf8");
	else if (typeof input !== "string") throw new TypeError("invalid JWT.decode input type");
	else jwt = input;
	return jwt;
}
function decode(input) {
	const jwt = normalizeInput(input);
	return {
		header: decodeProtectedHeader(jwt),
		payload: decodeJwt(jwt)
	};
}
function header(jwt) {
	return decodeProtectedHeader(normalizeInput(jwt));
}
function payload(jwt) {
	return decodeJwt(normalizeInput(jwt));
}
function assertPayload(payload, { clockTolerance = 0, audience, ignoreExpiration, ignoreAzp, ignoreIssued, ignoreNotBefore, issuer, subject = false } = {}) {
	const timestamp = epoch_time_default();
	if (typeof payload !== "object" || payload === null || Array.isArray(payload)) throw new Error("payload is not of JWT type (JSON serialized object)");
	if (payload.nbf !== void 0 && !ignoreNotBefore) {
		if (typeof payload.nbf !== "number") throw new Error("invalid nbf value");
		if (payload.nbf > timestamp + clockTolerance) throw new Error("jwt not active yet");
	}
	if (payload.iat !== void 0 && !ignoreIssued) {
		if (typeof payload.iat !== "number") throw new Error("invalid iat value");
		if (payload.exp === void 0 && payload.iat > timestamp + clockTolerance) throw new Error("jwt issued in the future");
	}
	if (payload.exp !== void 0 && !ignoreExpiration) {
		if (typeof payload.exp !== "number") throw new Error("invalid exp value");
		if (timestamp - clockTolerance >= payload.exp) throw new Error("jwt expired");
	}
	if (payload.jti !== void 0 && typeof payload.jti !== "string") throw new Error("invalid jti value");
	if (payload.iss !== void 0 && typeof payload.iss !== "string") throw new Error("invalid iss value");
	if (payload.aud !== void 0 && typeof payload.aud !== "string" && (!Array.isArray(payload.aud) || payload.aud.some((aud) => typeof aud !== "string"))) throw new Error("invalid aud value");
	if (subject && typeof payload.sub !== "string") throw new Error("invalid sub value");
	if (audience) verifyAudience(payload, audience, !ignoreAzp);
	if (issuer && payload.iss !== issuer) throw new Error("jwt issuer invalid");
}
async function verify$1(jwt, keystore, options = {}) {
	let verified;
	let protectedHeader;
	try {
		protectedHeader = decodeProtectedHeader(jwt);
		const keys = keystore.selectForVerify({
			alg: protectedHeader.alg,
			kid: protectedHeader.kid
		});
		if (keys.length === 0) throw new JWKSNoMatchingKey();
		else for (const key of keys) try {
			verified = await compactVerify(jwt, await keystore.getKeyObject(key, true), { algorithms: options.algorithm ? [options.algorithm] : void 0 });
			break;
		} catch {}
		if (!verified) throw new JWSSignatureVerificationFailed();
	} catch (err) {
		if (typeof keystore.fresh !== "function" || keystore.fresh()) throw err;
		await keystore.refresh();
		return verify$1(jwt, keystore, options);
	}
	const payload = decodeJwt(jwt);
	assertPayload(payload, options);
	return {
		payload,
		header: protectedHeader
	};
}
async function encrypt(cleartext, key, { enc, alg, fields } = {}) {
	const protectedHeader = {
		alg,
		enc,
		...fields
	};
	return new CompactEncrypt(Buffer.from(cleartext)).setProtectedHeader(protectedHeader).encrypt(key);
}
async function decrypt(jwe, keystore) {
	const protectedHeader = decodeProtectedHeader(jwe);
	const keys = keystore.selectForDecrypt({
		alg: protectedHeader.alg === "dir" ? protectedHeader.enc : protectedHeader.alg,
		kid: protectedHeader.kid,
		epk: protectedHeader.epk
	});
	let decrypted;
	if (keys.length === 0) throw new JWKSNoMatchingKey();
	else for (const key of keys) try {
		decrypted = await compactDecrypt(jwe, keystore.getKeyObject(key), { maxDecompressedLength: 0 });
		break;
	} catch {}
	if (!decrypted) throw new JWEDecryptionFailed();
	return Buffer.from(decrypted.plaintext);
}

// node_modules/oidc-provider/lib/shared/attest_client_auth.js
function invalid(ErrorClass, options) {
	if (ErrorClass === InvalidClientAuth) return new ErrorClass(options);
	return new ErrorClass(void 0, options);
}
async function validateClientAttestationJwtAndPop(ctx, { signal = false } = {}) {
	const { configuration: { clockTolerance, features: { attestClientAuth, dPoP: dPoPConfig }, attestSigningAlgValues }, AttestChallenges, DPoPNonces } = get$2(ctx.oidc.provider);
	const ErrorClass = signal ? InvalidClientAttestation : InvalidClientAuth;
	const attestation = ctx.get("oauth-client-attestation");
	if (!attestation) throw invalid(ErrorClass, "oauth-client-attestation missing");
	let verifiedAttestation;
	try {
		verifiedAttestation = await jwtVerify(attestation, async (header) => {
			const payload = decodeJwt(attestation);
			return await attestClientAuth.getAttestationSignaturePublicKey(ctx, header, payload, ctx.oidc.client);
		}, {
			algorithms: attestSigningAlgValues,
			requiredClaims: [
				"sub",
				"iat",
				"exp",
				"cnf"
			],
			typ: "oauth-client-attestation+jwt",
			clockTolerance,
			subject: ctx.oidc.client.clientId
		});
		if (verifiedAttestation.key.type !== "public") throw new Error("the resolved key must be a public key");
		if (typeof verifiedAttestation.payload.cnf?.jwk?.kty !== "string" || verifiedAttestation.payload.cnf?.jwk?.d !== void 0 || verifiedAttestation.payload.cnf?.jwk?.priv !== void 0 || verifiedAttestation.payload.cnf?.jwk?.k !== void 0) throw new Error("invalid cnf.jwk");
	} catch (cause) {
		throw invalid(ErrorClass, { cause });
	}
	const pop = ctx.get("oauth-client-attestation-pop");
	const combined = ctx.headers["oauth-client-attestation-pop"] === void 0 && ctx.headers.dpop !== void 0;
	if (!pop && !combined) throw invalid(ErrorClass, "oauth-client-attestation-pop missing");
	let verifiedPoP;
	let dPoP;
	if (combined) {
		if (!dPoPConfig.enabled) throw invalid(ErrorClass, "DPoP combined mode is not supported");
		dPoP = await validateDpop(ctx.oidc.provider, ctx);
		if (!dPoP) throw invalid(ErrorClass, "DPoP proof missing");
		verifiedPoP = getDpopJwt(ctx.oidc.provider, ctx);
		if (!verifiedPoP.payload.nonce) {
			ctx.set("dpop-nonce", DPoPNonces.nextChallenge());
			throw new UseDpopNonce("nonce is required in the DPoP proof");
		}
		let thumbprint;
		try {
			thumbprint = await calculateJwkThumbprint(verifiedAttestation.payload.cnf.jwk);
		} catch (cause) {
			throw invalid(ErrorClass, { cause });
		}
		if (thumbprint !== dPoP.thumbprint) throw invalid(ErrorClass, "DPoP proof key does not match the Client Attestation key");
	} else try {
		verifiedPoP = await jwtVerify(pop, async (header) => importJWK(verifiedAttestation.payload.cnf.jwk, header.alg), {
			algorithms: attestSigningAlgValues,
			requiredClaims: [
				"aud",
				"jti",
				"iat"
			],
			typ: "oauth-client-attestation-pop+jwt",
			clockTolerance,
			audience: ctx.oidc.issuer
		});
		if (typeof verifiedPoP.payload.aud !== "string") throw new Error("aud must be a string");
		if (typeof verifiedPoP.payload.jti !== "string" || !verifiedPoP.payload.jti) throw new Error("jti must be a non-empty string");
	} catch (cause) {
		throw invalid(ErrorClass, { cause });
	}
	await attestClientAuth.assertAttestationJwtAndPop(ctx, verifiedAttestation, verifiedPoP, ctx.oidc.client);
	if (combined) {
		ctx.oidc.clientAttestation = {
			method: "dpop_combined",
			signal,
			attestation: verifiedAttestation,
			pop: verifiedPoP
		};
		await checkDpopReplay(ctx.oidc.provider, ctx, dPoP, ctx.oidc.client.clientId, InvalidDpopProof);
		return;
	}
	if (!await ctx.oidc.provider.ReplayDetection.unique(ctx.oidc.client.clientId, verifiedPoP.payload.jti, epoch_time_default() + 300)) throw invalid(ErrorClass, "oauth-client-attestation-pop tokens must only be used once");
	const nextChallenge = AttestChallenges.nextChallenge();
	if (typeof verifiedPoP.payload.challenge !== "string" || !AttestChallenges.checkChallenge(verifiedPoP.payload.challenge)) {
		ctx.set("oauth-client-attestation-challenge", nextChallenge);
		throw new UseAttestationChallenge();
	}
	if (verifiedPoP.payload.challenge !== nextChallenge) ctx.set("oauth-client-attestation-challenge", nextChallenge);
	ctx.oidc.clientAttestation = {
		method: "attestation_pop_jwt",
		signal,
		attestation: verifiedAttestation,
		pop: verifiedPoP
	};
}
function attestationClientAuth(ctx) {
	return validateClientAttestationJwtAndPop(ctx);
}

// node_modules/oidc-provider/lib/shared/jwt_client_auth.js
async function jwtClientAuth(ctx, keystore, filter) {
	const { clockTolerance, assertJwtClientAuthClaimsAndHeader, clientAuthSigningAlgValues } = get$2(ctx.oidc.provider).configuration;
	const acceptedAud = ctx.oidc.clientJwtAuthExpectedAudience();
	let decoded;
	try {
		decoded = decode(ctx.oidc.params.client_assertion);
	} catch (cause) {
		throw new InvalidClientAuth({ cause });
	}
	const { header, payload } = decoded;
	if (ctx.oidc.client.clientAuthSigningAlg) {
		if (header.alg !== ctx.oidc.client.clientAuthSigningAlg) throw new InvalidClientAuth("alg mismatch");
	} else if (!clientAuthSigningAlgValues.filter(filter).includes(header.alg)) throw new InvalidClientAuth("alg mismatch");
	if (!payload.exp) throw new InvalidClientAuth("expiration must be specified in the client_assertion JWT");
	if (!payload.jti) throw new InvalidClientAuth("unique jti (JWT ID) must be provided in the client_assertion JWT");
	if (!payload.iss) throw new InvalidClientAuth("iss (JWT issuer) must be provided in the client_assertion JWT");
	if (payload.iss !== ctx.oidc.client.clientId) throw new InvalidClientAuth("iss (JWT issuer) must be the client_id");
	if (!payload.aud) throw new InvalidClientAuth("aud (JWT audience) must be provided in the client_assertion JWT");
	if (Array.isArray(payload.aud)) {
		if (!payload.aud.some((aud) => acceptedAud.has(aud))) throw new InvalidClientAuth("list of audience (aud) must include the endpoint url, issuer identifier or token endpoint url");
	} else if (!acceptedAud.has(payload.aud)) throw new InvalidClientAuth("audience (aud) must equal the endpoint url, issuer identifier or token endpoint url");
	try {
		await verify$1(ctx.oidc.params.client_assertion, keystore, {
			clockTolerance,
			ignoreAzp: true
		});
	} catch (cause) {
		throw new InvalidClientAuth({ cause });
	}
	await assertJwtClientAuthClaimsAndHeader(ctx, structuredClone(payload), structuredClone(header), ctx.oidc.client);
	if (!await ctx.oidc.provider.ReplayDetection.unique(payload.iss, payload.jti, payload.exp + clockTolerance)) throw new InvalidClientAuth("client assertion tokens must only be used once");
}

// node_modules/oidc-provider/lib/shared/reject_dupes.js
function rejectDupes({ except, only } = {}, ctx, next) {
	const params = [];
	for (const [key, value] of Object.entries(ctx.oidc.params)) {
		if (!Array.isArray(value)) continue;
		if (except ? except.has(key) : only && !only.has(key)) continue;
		params.push(key);
		ctx.oidc.params[key] = void 0;
	}
	if (params.length) throw new InvalidRequest(`${formatList(params)} ${pluralize("parameter", params.length)} must not be provided twice`);
	return next();
}

// node_modules/oidc-provider/lib/shared/client_auth.js
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
function isValidBase64(input) {
	const match = /^([A-Za-z0-9+/]*)(={0,2})$/u.exec(input);
	if (!match?.[1]) return false;
	const remainder = match[1].length % 4;
	if (!match[2]) return remainder !== 1;
	return (match[1].length + match[2].length) % 4 === 0 && match[2].length === 4 - remainder;
}
function decodeAuthToken(token) {
	const authToken = decodeURIComponent(token.replace(/\+/g, "%20"));
	if (noVSCHAR.test(authToken)) throw new Error("invalid character found");
	return authToken;
}
function getClientAuthParams(ctx) {
	const authParams = /* @__PURE__ */ new Set(["client_id"]);
	const { clientAuthMethods } = get$2(ctx.oidc.provider).configuration;
	clientAuthMethods.forEach((method) => {
		switch (method) {
			case "client_secret_post":
				authParams.add("client_secret");
				break;
			case "client_secret_jwt":
			case "private_key_jwt":
				authParams.add("client_assertion");
				authParams.add("client_assertion_type");
		}
	});
	return authParams;
}
function rejectClientAuthDupes(ctx, next) {
	return rejectDupes({ only: getClientAuthParams(ctx) }, ctx, next);
}
async function setWWWAuthenticateHeader(ctx, next) {
	try {
		await next();
	} catch (err) {
		if (err.statusCode === 401 && ctx.headers.authorization !== void 0) appendWWWAuthenticate(ctx, "Basic", {
			realm: ctx.oidc.provider.issuer,
			error: err.message,
			error_description: err.error_description
		});
		throw err;
	}
}
async function authenticateClient(ctx, next) {
	const { provider } = ctx.oidc;
	const { features } = get$2(provider);
	let methods;
	let clientId;
	let clientSecret;
	const setClientId = (value) => {
		if (clientId !== void 0 && value !== clientId) throw new InvalidRequest("client_id mismatch");
		clientId = value;
	};
	const hasAttestation = ctx.headers["oauth-client-attestation"] !== void 0;
	const hasAttestationPop = ctx.headers["oauth-client-attestation-pop"] !== void 0;
	const attestationAuthMethod = !hasAttestationPop && ctx.headers.dpop !== void 0 ? "attest_jwt_client_auth_dpop" : "attest_jwt_client_auth";
	const { additionalSecuritySignal } = features.attestClientAuth;
	const { length } = [
		ctx.headers.authorization,
		ctx.oidc.params.client_assertion,
		ctx.oidc.params.client_secret
	].filter(Boolean);
	if (length > 1) throw new InvalidRequest("client authentication must only be provided using one mechanism");
	if (length && (hasAttestation || hasAttestationPop) && !additionalSecuritySignal) throw new InvalidRequest("client authentication must only be provided using one mechanism");
	if (ctx.oidc.params.client_id !== void 0) setClientId(ctx.oidc.params.client_id);
	if (ctx.oidc.params.client_secret) {
		clientSecret = ctx.oidc.params.client_secret;
		methods = ["client_secret_basic", "client_secret_post"];
	} else if (ctx.headers.authorization !== void 0) {
		const parts = ctx.headers.authorization.split(" ");
		if (parts.length !== 2 || parts[0].toLowerCase() !== "basic") throw new InvalidRequest("invalid authorization header value format");
		if (!isValidBase64(parts[1])) throw new InvalidRequest("invalid authorization header value format");
		const basic = Buffer.from(parts[1], "base64").toString("utf8");
		const i = basic.indexOf(":");
		if (i === -1) throw new InvalidRequest("invalid authorization header value format");
		let basicClientId;
		try {
			basicClientId = decodeAuthToken(basic.slice(0, i));
			clientSecret = decodeAuthToken(basic.slice(i + 1));
		} catch (cause) {
			throw new InvalidRequest("client_id and client_secret in the authorization header are not properly encoded", void 0, { cause });
		}
		setClientId(basicClientId);
		if (!clientSecret) throw new InvalidRequest("client_secret must be provided in the Authorization header");
		methods = ["client_secret_basic", "client_secret_post"];
	} else if (hasAttestation && ctx.oidc.params.client_assertion === void 0 && (!clientId || !additionalSecuritySignal)) {
		let sub;
		try {
			({sub} = payload(ctx.headers["oauth-client-attestation"]));
		} catch (cause) {
			throw new InvalidRequest("invalid OAuth-Client-Attestation format", void 0, { cause });
		}
		if (!sub) throw new InvalidClientAuth("sub (JWT subject) must be provided in the OAuth-Client-Attestation JWT");
		setClientId(sub);
		methods = [attestationAuthMethod];
	} else if (ctx.oidc.params.client_assertion !== void 0) {
		let sub;
		try {
			({sub} = payload(ctx.oidc.params.client_assertion));
		} catch (cause) {
			throw new InvalidRequest("invalid client_assertion format", void 0, { cause });
		}
		if (!sub) throw new InvalidClientAuth("sub (JWT subject) must be provided in the client_assertion JWT");
		if (ctx.oidc.params.client_assertion_type === void 0) throw new InvalidRequest("client_assertion_type must be provided");
		if (ctx.oidc.params.client_assertion_type !== assertionType) throw new InvalidRequest(`client_assertion_type must have value ${assertionType}`);
		setClientId(sub);
		methods = ["client_secret_jwt", "private_key_jwt"];
	} else {
		methods = [
			"none",
			"tls_client_auth",
			"self_signed_tls_client_auth"
		];
		if (hasAttestation && additionalSecuritySignal) methods.push(attestationAuthMethod);
	}
	if (!clientId) throw new InvalidRequest("no client authentication mechanism provided");
	const client = await provider.Client.find(clientId);
	if (!client) throw new InvalidClientAuth("client not found");
	ctx.oidc.entity("Client", client);
	if ((hasAttestation || hasAttestationPop) && !additionalSecuritySignal && ctx.oidc.params.client_id !== void 0 && !["attest_jwt_client_auth", "attest_jwt_client_auth_dpop"].includes(ctx.oidc.client.clientAuthMethod)) throw new InvalidRequest("client authentication must only be provided using one mechanism");
	if (methods?.includes(ctx.oidc.client.clientAuthMethod) !== true) throw new InvalidClientAuth("the provided authentication mechanism does not match the registered client authentication method");
	switch (ctx.oidc.client.clientAuthMethod) {
		case "none": break;
		case "client_secret_basic":
		case "client_secret_post":
			ctx.oidc.client.checkClientSecretExpiration("could not authenticate the client - its client secret is expired");
			if (!await ctx.oidc.client.compareClientSecret(clientSecret)) throw new InvalidClientAuth("invalid secret provided");
			break;
		case "client_secret_jwt":
			ctx.oidc.client.checkClientSecretExpiration("could not authenticate the client - its client secret used for the client_assertion is expired");
			await jwtClientAuth(ctx, ctx.oidc.client.symmetricKeyStore, (alg) => alg.startsWith("HS"));
			break;
		case "private_key_jwt":
			await jwtClientAuth(ctx, ctx.oidc.client.asymmetricKeyStore, (alg) => !alg.startsWith("HS"));
			break;
		case "tls_client_auth": {
			const { getCertificate, certificateAuthorized, certificateSubjectMatches } = features.mTLS;
			if (!getCertificate(ctx)) throw new InvalidClientAuth("client certificate was not provided");
			if (!boolean(certificateAuthorized(ctx), "features.mTLS.certificateAuthorized")) throw new InvalidClientAuth("client certificate was not verified");
			for (const [prop, key] of Object.entries({
				tlsClientAuthSubjectDn: "tls_client_auth_subject_dn",
				tlsClientAuthSanDns: "tls_client_auth_san_dns",
				tlsClientAuthSanIp: "tls_client_auth_san_ip",
				tlsClientAuthSanEmail: "tls_client_auth_san_email",
				tlsClientAuthSanUri: "tls_client_auth_san_uri"
			})) {
				const value = ctx.oidc.client[prop];
				if (value) {
					if (!boolean(certificateSubjectMatches(ctx, key, value), "features.mTLS.certificateSubjectMatches")) throw new InvalidClientAuth("certificate subject value does not match the registered one");
					break;
				}
			}
			break;
		}
		case "self_signed_tls_client_auth": {
			const { getCertificate } = features.mTLS;
			const cert = getCertificate(ctx);
			if (!cert) throw new InvalidClientAuth("client certificate was not provided");
			await ctx.oidc.client.asymmetricKeyStore.refresh();
			const expected = certThumbprint(cert);
			if (![...ctx.oidc.client.asymmetricKeyStore].find(({ "x5t#S256": actual }) => actual === expected)) throw new InvalidClientAuth("unregistered client certificate provided");
			break;
		}
		case "attest_jwt_client_auth":
		case "attest_jwt_client_auth_dpop": await attestationClientAuth(ctx);
	}
	if (!["attest_jwt_client_auth", "attest_jwt_client_auth_dpop"].includes(ctx.oidc.client.clientAuthMethod) && (additionalSecuritySignal === "required" || additionalSecuritySignal === "optional" && (hasAttestation || hasAttestationPop))) await validateClientAttestationJwtAndPop(ctx, { signal: true });
	await next();
}
var client_auth_default = [
	rejectClientAuthDupes,
	setWWWAuthenticateHeader,
	authenticateClient
];

// node_modules/oidc-provider/lib/actions/authorization/request_parameters.js
const requestParams = /* @__PURE__ */ new WeakMap();
const nonFrontchannelRoutes = /* @__PURE__ */ new Set([
	"device_authorization",
	"code_verification",
	"device_resume",
	"backchannel_authentication"
]);
const frontchannelParams = [
	"web_message_uri",
	"response_type",
	"response_mode",
	"code_challenge_method",
	"code_challenge",
	"state",
	"redirect_uri",
	"prompt"
];
const cibaParams = [
	"client_notification_token",
	"login_hint_token",
	"binding_message",
	"user_code",
	"request_context",
	"requested_expiry"
];
const dpopRoutes = /* @__PURE__ */ new Set([
	"authorization",
	"resume",
	"pushed_authorization_request"
]);
const resourceDupes = { except: /* @__PURE__ */ new Set(["resource"]) };
function getAuthorizationParams(ctx) {
	if (requestParams.has(ctx)) return requestParams.get(ctx);
	const { features, extraParams } = get$2(ctx.oidc.provider).configuration;
	const { route } = ctx.oidc;
	const allowList = new Set(param_list_default);
	if (features.webMessageResponseMode.enabled) allowList.add("web_message_uri");
	if (features.claimsParameter.enabled) allowList.add("claims");
	if (features.resourceIndicators.enabled) allowList.add("resource");
	if (features.richAuthorizationRequests.enabled) allowList.add("authorization_details");
	extraParams.forEach(Set.prototype.add.bind(allowList));
	if (nonFrontchannelRoutes.has(route)) for (const param of frontchannelParams) allowList.delete(param);
	if (route === "backchannel_authentication") for (const param of cibaParams) allowList.add(param);
	if (features.dPoP.enabled && dpopRoutes.has(route)) allowList.add("dpop_jkt");
	requestParams.set(ctx, allowList);
	return allowList;
}
function assembleAuthorizationParams(ctx, next) {
	return assembleParams(getAuthorizationParams(ctx), ctx, next);
}
function rejectAuthorizationDupes(ctx, next) {
	const { resourceIndicators } = get$2(ctx.oidc.provider).features;
	return rejectDupes(resourceIndicators.enabled ? resourceDupes : void 0, ctx, next);
}
function rejectUnsupported(ctx, next) {
	const { requestObjects, pushedAuthorizationRequests, webMessageResponseMode } = get$2(ctx.oidc.provider).features;
	const { params } = ctx.oidc;
	if (params.request !== void 0 && !requestObjects.enabled) throw new RequestNotSupported();
	if (params.request_uri !== void 0 && (ctx.oidc.route !== "authorization" || !pushedAuthorizationRequests.enabled)) throw new RequestUriNotSupported();
	if (webMessageResponseMode.enabled && params.response_mode?.includes("web_message") && params.web_message_uri) {
		const error = new InvalidRequest("Web Message Response Mode Relay Mode is not supported");
		error.allow_redirect = false;
		throw error;
	}
	return next();
}
function rejectRegistration(ctx, next) {
	if (ctx.oidc.params.registration !== void 0) throw new RegistrationNotSupported();
	return next();
}
function assignDefaults(ctx, next) {
	const { params, client } = ctx.oidc;
	if (!params.acr_values && client.defaultAcrValues) params.acr_values = client.defaultAcrValues.join(" ");
	if (params.max_age === void 0 && client.defaultMaxAge !== void 0) params.max_age = client.defaultMaxAge.toString();
	return next();
}
function checkPrompt(ctx, next) {
	if (ctx.oidc.params.prompt !== void 0) {
		const { prompts } = ctx.oidc;
		const supported = get$2(ctx.oidc.provider).configuration.prompts;
		for (const prompt of prompts) if (!supported.has(prompt)) throw new InvalidRequest("unsupported prompt value requested");
		if (prompts.has("none") && prompts.size !== 1) throw new InvalidRequest("prompt none must only be used alone");
	}
	return next();
}
function checkMaxAge(ctx, next) {
	if (ctx.oidc.params.max_age !== void 0) {
		const maxAge = +ctx.oidc.params.max_age;
		if (!Number.isSafeInteger(maxAge) || Math.sign(maxAge) === -1) throw new InvalidRequest("invalid max_age parameter value");
		if (maxAge === 0) {
			const { prompts } = ctx.oidc;
			ctx.oidc.params.max_age = void 0;
			if (!prompts.has("login")) {
				prompts.add("login");
				ctx.oidc.params.prompt = [...prompts].join(" ");
			}
		}
	}
	return next();
}
async function checkExtraParams(ctx, next) {
	const { extraParamsValidations } = get$2(ctx.oidc.provider).configuration;
	if (!extraParamsValidations) return next();
	for (const [param, validator] of extraParamsValidations) await validator(ctx, ctx.oidc.params[param], ctx.oidc.client);
	return next();
}

// node_modules/oidc-provider/lib/actions/authorization/process_request_object.js
async function processRequestObject(ctx, next) {
	const PARAM_LIST = getAuthorizationParams(ctx);
	const { params, client, route } = ctx.oidc;
	const pushedRequestObject = "PushedAuthorizationRequest" in ctx.oidc.entities;
	if (client.requirePushedAuthorizationRequests && route === "authorization" && !pushedRequestObject) throw new InvalidRequest("Pushed Authorization Request must be used");
	const isBackchannelAuthentication = route === "backchannel_authentication";
	const { configuration, features } = get$2(ctx.oidc.provider);
	if (params.request === void 0 && (client.requireSignedRequestObject || client.backchannelAuthenticationRequestSigningAlg && isBackchannelAuthentication)) throw new InvalidRequest("Request Object must be used by this client");
	if (params.request === void 0) return next();
	let trusted = false;
	if (features.encryption.enabled && params.request.split(".").length === 5) {
		if (isBackchannelAuthentication) throw new InvalidRequest("Encrypted Request Objects are not supported by CIBA");
		try {
			const header$1 = header(params.request);
			if (!configuration.requestObjectEncryptionAlgValues.includes(header$1.alg)) throw new TypeError("unsupported encrypted request alg");
			if (!configuration.requestObjectEncryptionEncValues.includes(header$1.enc)) throw new TypeError("unsupported encrypted request enc");
			let decrypted;
			if (/^(A|dir$)/.test(header$1.alg)) {
				client.checkClientSecretExpiration("could not decrypt the Request Object - the client secret used for its encryption is expired", "invalid_request_object");
				decrypted = await decrypt(params.request, client.symmetricKeyStore);
				trusted = true;
			} else decrypted = await decrypt(params.request, get$2(ctx.oidc.provider).keystore);
			params.request = decrypted.toString("utf8");
			if (ctx.oidc.body) ctx.oidc.body.request = params.request;
		} catch (cause) {
			if (cause instanceof OIDCProviderError) throw cause;
			throw new InvalidRequestObject("could not decrypt request object", { cause });
		}
	}
	let decoded;
	try {
		decoded = decode(params.request);
	} catch (cause) {
		throw new InvalidRequestObject("could not parse Request Object", { cause });
	}
	const { payload, header: { alg } } = decoded;
	const request = Object.entries(payload).reduce((acc, [key, value]) => {
		if (PARAM_LIST.has(key)) {
			if (key === "claims" && is_json_object_default(value)) acc[key] = JSON.stringify(value);
			else if (key === "authorization_details" && Array.isArray(value)) acc[key] = JSON.stringify(value);
			else if (Array.isArray(value)) acc[key] = value;
			else if (typeof value !== "string") acc[key] = String(value);
			else acc[key] = value;
		}
		return acc;
	}, {});
	rejectAuthorizationDupes({ oidc: {
		params: request,
		provider: ctx.oidc.provider
	} }, () => {});
	const original = {};
	for (const param of [
		"state",
		"response_mode",
		"response_type"
	]) {
		original[param] = params[param];
		if (request[param] !== void 0) params[param] = request[param];
	}
	if (request.request !== void 0 || request.request_uri !== void 0) throw new InvalidRequestObject("Request Object must not contain request or request_uri properties");
	if (original.response_type && request.response_type !== void 0 && request.response_type !== original.response_type) throw new InvalidRequestObject("request response_type must equal the one in request parameters");
	if (params.client_id && request.client_id !== void 0 && request.client_id !== params.client_id) throw new InvalidRequestObject("request client_id must equal the one in request parameters");
	if (route === "pushed_authorization_request") {
		if (request.client_id !== ctx.oidc.client.clientId) throw new InvalidRequestObject("request client_id must equal the authenticated client's client_id");
	}
	if (request.client_id !== void 0 && request.client_id !== client.clientId) throw new InvalidRequestObject("request client_id mismatch");
	if (!pushedRequestObject && !configuration.requestObjectSigningAlgValues.includes(alg)) throw new InvalidRequestObject("unsupported signed request alg");
	const prop = isBackchannelAuthentication ? "backchannelAuthenticationRequestSigningAlg" : "requestObjectSigningAlg";
	if (!pushedRequestObject && client[prop] && alg !== client[prop]) throw new InvalidRequestObject("the preregistered alg must be used in request or request_uri");
	const opts = {
		issuer: client.clientId,
		audience: ctx.oidc.issuer,
		clockTolerance: configuration.clockTolerance,
		ignoreAzp: true
	};
	try {
		assertPayload(payload, opts);
	} catch (cause) {
		throw new InvalidRequestObject("Request Object claims are invalid", { cause });
	}
	await features.requestObjects.assertJwtClaimsAndHeader(ctx, structuredClone(decoded.payload), structuredClone(decoded.header), client);
	if (pushedRequestObject) ({trusted} = ctx.oidc.entities.PushedAuthorizationRequest);
	else try {
		if (alg.startsWith("HS")) {
			client.checkClientSecretExpiration("could not validate the Request Object - the client secret used for its signature is expired", "invalid_request_object");
			await verify$1(params.request, client.symmetricKeyStore, opts);
		} else await verify$1(params.request, client.asymmetricKeyStore, opts);
		trusted = true;
	} catch (cause) {
		if (cause instanceof OIDCProviderError) throw cause;
		throw new InvalidRequestObject("could not validate Request Object", { cause });
	}
	if (trusted) ctx.oidc.trusted = Object.keys(request);
	params.request = void 0;
	Object.keys(params).forEach((key) => {
		if (key in request) params[key] = request[key] || void 0;
		else params[key] = void 0;
	});
	if (pushedRequestObject && ctx.oidc.entities.PushedAuthorizationRequest.dpopJkt) {
		params.dpop_jkt = ctx.oidc.entities.PushedAuthorizationRequest.dpopJkt;
		ctx.oidc.trusted?.push("dpop_jkt");
	}
	return next();
}
function stripOutsideJarParams(ctx, next) {
	const JAR = !!ctx.oidc.params.request;
	for (const [param, value] of Object.entries(ctx.oidc.params)) if (value !== void 0) {
		if (JAR && param !== "client_id" && param !== "request") ctx.oidc.params[param] = void 0;
	}
	return next();
}

// node_modules/oidc-provider/lib/actions/authorization/interactions.js
const errorMap$1 = { ...errors_exports$1 };
async function interactions(ctx, next) {
	const { oidc } = ctx;
	let failedCheck;
	let prompt;
	const { policy, url: interactionUrl } = get$2(oidc.provider).configuration.interactions;
	for (const { name, checks, details: promptDetails } of policy) {
		let results = (await Promise.all([...checks].map(async ({ reason, description, error, details, check }) => {
			if (boolean(await check(ctx), `interactions.policy.${name}.checks.${reason}.check`)) return { [reason]: {
				error,
				description,
				details: await details(ctx)
			} };
		}))).filter(Boolean);
		if (results.length) {
			results = Object.assign({}, ...results);
			prompt = {
				name,
				reasons: Object.keys(results),
				details: Object.assign({}, await promptDetails(ctx), ...Object.values(results).map((r) => r.details))
			};
			const [[, { error, description }]] = Object.entries(results);
			failedCheck = {
				error: error || "interaction_required",
				error_description: description || "interaction is required from the end-user"
			};
			break;
		}
	}
	if (!prompt) {
		if (!oidc.session.accountId) throw new AccessDenied(void 0, "authorization request resolved without requesting interactions but no account id was resolved");
		if (!oidc.grant.getOIDCScopeFiltered(oidc.requestParamOIDCScopes) && Object.keys(ctx.oidc.resourceServers).every((resource) => !oidc.grant.getResourceScopeFiltered(resource, oidc.requestParamScopes)) && !oidc.params.authorization_details) throw new AccessDenied(void 0, "authorization request resolved without requesting interactions but no scope was granted");
		oidc.provider.emit("authorization.accepted", ctx);
		await next();
		return;
	}
	try {
		if (oidc.promptPending("none")) {
			const className = upper_first_default(camel_case_default(failedCheck.error));
			if (errorMap$1[className]) throw new errorMap$1[className](failedCheck.error_description);
			throw new CustomOIDCProviderError(failedCheck.error, failedCheck.error_description);
		}
	} catch (err) {
		const code = /^(code|device)_/.test(oidc.route) ? 400 : 303;
		err.status = code;
		err.statusCode = code;
		err.expose = true;
		throw err;
	}
	const uid = nanoid_default();
	const cookieOptions = get$2(oidc.provider).configuration.cookies.short;
	const resumeRouteName = /^(code|device)_/.test(oidc.route) ? "device_resume" : "resume";
	const returnTo = oidc.urlFor(resumeRouteName, { uid });
	const interactionSession = new oidc.provider.Interaction(uid, {
		returnTo,
		prompt,
		lastSubmission: oidc.result,
		accountId: oidc.session.accountId,
		params: oidc.params.toPlainObject(),
		trusted: oidc.trusted,
		session: oidc.session,
		grant: oidc.grant,
		cid: oidc.entities.Interaction?.cid || nanoid_default(),
		deviceCode: oidc.deviceCode?.jti,
		parJti: oidc.entities.PushedAuthorizationRequest?.jti || oidc.entities.Interaction?.parJti
	});
	let ttl = get$2(ctx.oidc.provider).configuration.ttl.Interaction;
	if (typeof ttl === "function") ttl = ttl(ctx, interactionSession);
	ttl = positiveInteger(ttl, "ttl.Interaction");
	await interactionSession.save(ttl);
	ctx.oidc.entity("Interaction", interactionSession);
	const destination = await interactionUrl(ctx, interactionSession);
	ctx.cookies.set(oidc.provider.cookieName("interaction"), uid, {
		path: new URL(destination, ctx.oidc.issuer).pathname,
		...cookieOptions,
		maxAge: ttl * 1e3
	});
	ctx.cookies.set(oidc.provider.cookieName("resume"), uid, {
		...cookieOptions,
		path: new URL(returnTo).pathname,
		domain: void 0,
		httpOnly: true,
		maxAge: ttl * 1e3
	});
	oidc.provider.emit("interaction.started", ctx, prompt);
	ctx.status = 303;
	ctx.redirect(destination);
}
const resumeRoutes = /* @__PURE__ */ new Set(["resume", "device_resume"]);
function interactionEmit(ctx, next) {
	if (resumeRoutes.has(ctx.oidc.route)) ctx.oidc.provider.emit("interaction.ended", ctx);
	return next();
}

// node_modules/oidc-provider/lib/helpers/combined_scope.js
var combined_scope_default = (grant, requestParamScopes, resourceServers) => {
	const combinedScope = /* @__PURE__ */ new Set();
	grant.getOIDCScopeFiltered(requestParamScopes).split(" ").filter(Boolean).forEach(Set.prototype.add.bind(combinedScope));
	for (const resourceServer of Object.values(resourceServers)) grant.getResourceScopeFiltered(resourceServer.identifier(), requestParamScopes).split(" ").filter(Boolean).forEach(Set.prototype.add.bind(combinedScope));
	return combinedScope;
};

// node_modules/oidc-provider/lib/helpers/process_response_types.js
async function tokenHandler(ctx) {
	const { accountId } = ctx.oidc.session;
	const token = new ctx.oidc.provider.AccessToken({
		accountId,
		client: ctx.oidc.client,
		grantId: ctx.oidc.session.grantIdFor(ctx.oidc.client.clientId),
		gty: "implicit",
		sessionUid: ctx.oidc.session.uid,
		sid: ctx.oidc.session.sidFor(ctx.oidc.client.clientId)
	});
	const { expiresWithSession, features: { resourceIndicators } } = get$2(ctx.oidc.provider).configuration;
	let { resource } = ctx.oidc.params;
	if (Array.isArray(resource)) resource = await resourceIndicators.defaultResource(ctx, ctx.oidc.client, resource);
	if (Array.isArray(resource)) throw new InvalidTarget("only a single resource indicator value must be requested/resolved during Access Token Request");
	const { grant } = ctx.oidc;
	if (resource) {
		const resourceServer = ctx.oidc.resourceServers[resource];
		if (!resourceServer) throw new InvalidTarget();
		token.resourceServer = resourceServer;
		token.scope = grant.getResourceScopeFiltered(resource, ctx.oidc.requestParamScopes);
	} else {
		token.claims = ctx.oidc.claims;
		token.scope = grant.getOIDCScopeFiltered(ctx.oidc.requestParamOIDCScopes);
	}
	if (!token.resourceServer || token.resourceServer.accessTokenFormat === "opaque") {
		if (boolean(await expiresWithSession(ctx, token), "expiresWithSession")) token.expiresWithSession = true;
		else ctx.oidc.session.authorizationFor(ctx.oidc.client.clientId).persistsLogout = true;
	}
	ctx.oidc.entity("AccessToken", token);
	return {
		access_token: await token.save(),
		expires_in: token.expiration,
		token_type: token.tokenType,
		scope: token.scope
	};
}
async function codeHandler(ctx) {
	const { expiresWithSession, features: { richAuthorizationRequests } } = get$2(ctx.oidc.provider).configuration;
	const { grant } = ctx.oidc;
	const scopeSet = combined_scope_default(grant, ctx.oidc.requestParamScopes, ctx.oidc.resourceServers);
	const code = new ctx.oidc.provider.AuthorizationCode({
		accountId: ctx.oidc.session.accountId,
		acr: ctx.oidc.acr,
		amr: ctx.oidc.amr,
		authTime: ctx.oidc.session.authTime(),
		claims: ctx.oidc.claims,
		client: ctx.oidc.client,
		codeChallenge: ctx.oidc.params.code_challenge,
		codeChallengeMethod: ctx.oidc.params.code_challenge_method,
		grantId: ctx.oidc.session.grantIdFor(ctx.oidc.client.clientId),
		nonce: ctx.oidc.params.nonce,
		redirectUri: ctx.oidc.params.redirect_uri,
		resource: Object.keys(ctx.oidc.resourceServers),
		scope: [...scopeSet].join(" "),
		sessionUid: ctx.oidc.session.uid,
		dpopJkt: ctx.oidc.params.dpop_jkt
	});
	if (ctx.oidc.entities.PushedAuthorizationRequest?.attestationJkt) code.attestationJkt = ctx.oidc.entities.PushedAuthorizationRequest.attestationJkt;
	if (Object.keys(code.claims).length === 0) delete code.claims;
	switch (code.resource.length) {
		case 0:
			delete code.resource;
			break;
		case 1: [code.resource] = code.resource;
	}
	if (boolean(await expiresWithSession(ctx, code), "expiresWithSession")) code.expiresWithSession = true;
	else ctx.oidc.session.authorizationFor(ctx.oidc.client.clientId).persistsLogout = true;
	if (ctx.oidc.client.includeSid() || ctx.oidc.claims.id_token && "sid" in ctx.oidc.claims.id_token) code.sid = ctx.oidc.session.sidFor(ctx.oidc.client.clientId);
	if (richAuthorizationRequests.enabled && (ctx.oidc.params.authorization_details !== void 0 || grant.rar?.length)) code.rar = normalizeAuthorizationDetails(await richAuthorizationRequests.authorizationDetailsForGrantSource(ctx, code));
	ctx.oidc.entity("AuthorizationCode", code);
	return { code: await code.save() };
}
async function idTokenHandler(ctx) {
	const claims = filter_claims_default(ctx.oidc.claims, "id_token", ctx.oidc.grant);
	const rejected = ctx.oidc.grant.getRejectedOIDCClaims();
	const scope = ctx.oidc.grant.getOIDCScopeFiltered(ctx.oidc.requestParamScopes);
	const idToken = new ctx.oidc.provider.IdToken({
		...await getCtxAccountClaims(ctx, "id_token", scope, claims, rejected),
		acr: ctx.oidc.acr,
		amr: ctx.oidc.amr,
		auth_time: ctx.oidc.session.authTime()
	}, { ctx });
	const { conformIdTokenClaims, features: { userinfo } } = get$2(ctx.oidc.provider).configuration;
	if (conformIdTokenClaims && userinfo.enabled && ctx.oidc.params.response_type !== "id_token" && !ctx.oidc.params.resource) idToken.scope = "openid";
	else idToken.scope = scope;
	idToken.mask = claims;
	idToken.rejected = rejected;
	idToken.set("nonce", ctx.oidc.params.nonce);
	if (ctx.oidc.client.includeSid() || ctx.oidc.claims.id_token && "sid" in ctx.oidc.claims.id_token) idToken.set("sid", ctx.oidc.session.sidFor(ctx.oidc.client.clientId));
	return { id_token: idToken };
}
async function processResponseTypes(ctx) {
	const responses = ctx.oidc.params.response_type.split(" ");
	const response = Object.assign({}, ...await Promise.all(responses.map((responseType) => {
		switch (responseType) {
			case "code": return codeHandler(ctx);
			case "token": return tokenHandler(ctx);
			case "id_token": return idTokenHandler(ctx);
			default: return {};
		}
	})));
	if ("id_token" in response) {
		if ("access_token" in response) response.id_token.set("at_hash", response.access_token);
		if ("code" in response) response.id_token.set("c_hash", response.code);
		if (ctx.oidc.params.state && ctx.oidc.isFapi("1.0 Final")) response.id_token.set("s_hash", ctx.oidc.params.state);
		response.id_token = await response.id_token.issue({ use: "idtoken" });
	}
	return response;
}

// node_modules/oidc-provider/lib/actions/authorization/respond.js
async function respond(ctx) {
	let pushedAuthorizationRequest = ctx.oidc.entities.PushedAuthorizationRequest;
	if (!pushedAuthorizationRequest && ctx.oidc.entities.Interaction?.parJti) pushedAuthorizationRequest = await ctx.oidc.provider.PushedAuthorizationRequest.find(ctx.oidc.entities.Interaction.parJti, { ignoreExpiration: true });
	if (pushedAuthorizationRequest?.consumed) throw new InvalidRequestUri("request_uri is invalid, expired, or was already used");
	await pushedAuthorizationRequest?.consume();
	const out = await processResponseTypes(ctx);
	const { oidc: { params } } = ctx;
	if (params.state !== void 0) out.state = params.state;
	const { responseMode } = ctx.oidc;
	if (!out.id_token && !responseMode.includes("jwt")) out.iss = ctx.oidc.provider.issuer;
	ctx.oidc.provider.emit("authorization.success", ctx, out);
	await get$2(ctx.oidc.provider).responseModes.get(responseMode)(ctx, params.redirect_uri, omit_by_default(out, (value) => value === void 0));
}

// node_modules/oidc-provider/lib/actions/authorization/resume.js
const errorMap = { ...errors_exports$1 };
async function resumeAction(ctx, next) {
	const resumeRouteName = ctx.oidc.route === "device_resume" ? "device_resume" : "resume";
	const cookieOptions = get$2(ctx.oidc.provider).configuration.cookies.short;
	const cookieId = ctx.cookies.get(ctx.oidc.provider.cookieName("resume"), cookieOptions);
	if (!cookieId) throw new SessionNotFound("authorization request has expired");
	const interactionSession = await ctx.oidc.provider.Interaction.find(cookieId);
	if (!interactionSession) throw new SessionNotFound("interaction session not found");
	ctx.oidc.entity("Interaction", interactionSession);
	if (cookieId !== interactionSession.uid) throw new SessionNotFound("authorization session and cookie identifier mismatch");
	const { result, params: storedParams = {}, trusted = [], session: originSession } = interactionSession;
	const { session } = ctx.oidc;
	if (originSession?.uid && originSession.uid !== session.uid) throw new SessionNotFound("interaction session and authentication session mismatch");
	if (result?.login && session.accountId && session.accountId !== result.login.accountId) {
		if (interactionSession.session?.uid) {
			delete interactionSession.session.uid;
			await interactionSession.save(interactionSession.exp - epoch_time_default());
		}
		session.state = {
			secret: nanoid_default(),
			clientId: storedParams.client_id,
			postLogoutRedirectUri: ctx.oidc.urlFor(ctx.oidc.route, ctx.params)
		};
		formPost(ctx, ctx.oidc.urlFor("end_session_confirm"), {
			xsrf: session.state.secret,
			logout: "yes"
		});
		return;
	}
	await interactionSession.destroy();
	const params = new Params(getAuthorizationParams(ctx), storedParams);
	ctx.oidc.params = params;
	ctx.oidc.trusted = trusted;
	ctx.oidc.redirectUriCheckPerformed = true;
	const clearOpts = {
		...cookieOptions,
		path: new URL(ctx.oidc.urlFor(resumeRouteName, { uid: interactionSession.uid })).pathname
	};
	ctx.cookies.set(ctx.oidc.provider.cookieName("resume"), null, clearOpts);
	if (result?.error) {
		const className = upper_first_default(camel_case_default(result.error));
		if (errorMap[className]) throw new errorMap[className](result.error_description);
		throw new CustomOIDCProviderError(result.error, result.error_description);
	}
	if (result?.login) {
		const { remember = true, accountId, ts: loginTs, amr, acr } = result.login;
		session.loginAccount({
			accountId,
			loginTs,
			amr,
			acr,
			transient: !remember
		});
	}
	ctx.oidc.result = result;
	if (!session.new) session.resetIdentifier();
	await next();
}

// node_modules/oidc-provider/lib/actions/authorization/client.js
function deviceAuthorizationResponse$1(ctx, next) {
	if (!ctx.oidc.body.client_id) ctx.oidc.body.client_id = ctx.oidc.client.clientId;
	return next();
}
async function checkClient(ctx, next) {
	validatePresence(ctx, "client_id");
	const client = await ctx.oidc.provider.Client.find(ctx.oidc.params.client_id);
	if (!client) {
		ctx.oidc.noclient = true;
		throw new InvalidClient("client is invalid", "client not found");
	}
	ctx.oidc.entity("Client", client);
	return next();
}
function checkClientGrantType({ oidc: { route, client } }, next) {
	let grantType;
	switch (route) {
		case "device_authorization":
			grantType = "urn:ietf:params:oauth:grant-type:device_code";
			break;
		case "backchannel_authentication":
			grantType = "urn:openid:params:grant-type:ciba";
			break;
		default: throw new Error("not implemented");
	}
	if (!client.grantTypeAllowed(grantType)) throw new InvalidRequest(`${grantType} is not allowed for this client`);
	return next();
}

// node_modules/oidc-provider/lib/actions/authorization/pushed_authorization_requests.js
async function loadPushedAuthorizationRequest(ctx, next) {
	const { pushedAuthorizationRequests } = get$2(ctx.oidc.provider).features;
	const { params, provider: { PushedAuthorizationRequest } } = ctx.oidc;
	rejectRequestAndUri(ctx, () => {});
	if (params.request_uri !== void 0) {
		if (pushedAuthorizationRequests.enabled && params.request_uri.startsWith("urn:ietf:params:oauth:request_uri:")) {
			if (!URL.canParse(params.request_uri)) throw new InvalidRequestUri("invalid request_uri");
			const [, id] = params.request_uri.split(PUSHED_REQUEST_URN);
			const pushedAuthorizationRequest = await PushedAuthorizationRequest.find(id, { ignoreExpiration: true });
			if (!pushedAuthorizationRequest?.isValid) throw new InvalidRequestUri("request_uri is invalid, expired, or was already used");
			ctx.oidc.entity("PushedAuthorizationRequest", pushedAuthorizationRequest);
			params.request = pushedAuthorizationRequest.request;
		} else throw new RequestUriNotSupported();
	}
	return next();
}
async function requestObjectRemapErrors$1(_ctx, next) {
	return next().catch((err) => {
		if (err instanceof InvalidRedirectUri) Object.assign(err, {
			message: "invalid_request",
			error: "invalid_request"
		});
		throw err;
	});
}
const MAX_TTL = 60;
async function pushedAuthorizationRequestResponse(ctx) {
	let request;
	let ttl;
	let dpopJkt;
	const now = epoch_time_default();
	if (ctx.oidc.body.request) {
		({request} = ctx.oidc.body);
		const { payload: { exp, dpop_jkt: thumbprint } } = decode(request);
		ttl = exp - now;
		if (!Number.isInteger(ttl) || ttl > MAX_TTL) ttl = MAX_TTL;
		dpopJkt = thumbprint || ctx.oidc.params.dpop_jkt;
	} else {
		ttl = MAX_TTL;
		const payload = { ...ctx.oidc.params };
		if (payload.claims) payload.claims = JSON.parse(payload.claims);
		if (payload.authorization_details) payload.authorization_details = JSON.parse(payload.authorization_details);
		request = new UnsecuredJWT(payload).setIssuedAt(now).setIssuer(ctx.oidc.client.clientId).setAudience(ctx.oidc.issuer).setExpirationTime(now + MAX_TTL).setNotBefore(now).encode();
		dpopJkt = ctx.oidc.params.dpop_jkt;
	}
	const requestObject = new ctx.oidc.provider.PushedAuthorizationRequest({
		request,
		dpopJkt,
		trusted: ctx.oidc.client.clientAuthMethod !== "none" || !!ctx.oidc.trusted?.length
	});
	if (["attest_jwt_client_auth", "attest_jwt_client_auth_dpop"].includes(ctx.oidc.client.clientAuthMethod)) await requestObject.setAttestBinding(ctx);
	const id = await requestObject.save(ttl);
	ctx.oidc.entity("PushedAuthorizationRequest", requestObject);
	ctx.status = 201;
	ctx.body = {
		expires_in: ttl,
		request_uri: `${PUSHED_REQUEST_URN}${id}`
	};
	ctx.oidc.provider.emit("pushed_authorization_request.success", ctx, ctx.oidc.client);
}
function rejectRequestAndUri(ctx, next) {
	if (ctx.oidc.params.request !== void 0 && ctx.oidc.params.request_uri !== void 0) throw new InvalidRequest("request and request_uri parameters MUST NOT be used together");
	return next();
}

// node_modules/oidc-provider/lib/actions/authorization/claims.js
async function checkClaims(ctx, next) {
	const { params } = ctx.oidc;
	if (params.claims !== void 0) {
		const { claimsParameter, userinfo } = get$2(ctx.oidc.provider).features;
		if (claimsParameter.enabled) {
			if (params.response_type === "none") throw new InvalidRequest("claims parameter should not be combined with response_type none");
			let claims;
			try {
				claims = JSON.parse(params.claims);
			} catch (cause) {
				throw new InvalidRequest("could not parse the claims parameter JSON", void 0, { cause });
			}
			if (!is_json_object_default(claims)) throw new InvalidRequest("claims parameter should be a JSON object");
			if (claims.userinfo === void 0 && claims.id_token === void 0) throw new InvalidRequest("claims parameter should have userinfo or id_token properties");
			if (claims.userinfo !== void 0 && !is_json_object_default(claims.userinfo)) throw new InvalidRequest("claims.userinfo should be an object");
			if (claims.id_token !== void 0 && !is_json_object_default(claims.id_token)) throw new InvalidRequest("claims.id_token should be an object");
			await claimsParameter.assertClaimsParameter?.(ctx, claims, ctx.oidc.client);
			if (claims.userinfo && !userinfo.enabled) throw new InvalidRequest("claims.userinfo should not be used since userinfo endpoint is not supported");
			if (params.response_type === "id_token" && claims.userinfo) throw new InvalidRequest("claims.userinfo should not be used if access_token is not issued");
		}
	}
	return next();
}
function assignIdTokenClaim(ctx, claim, value) {
	ctx.oidc.claims ||= {};
	ctx.oidc.claims.id_token ||= {};
	ctx.oidc.claims.id_token[claim] = value;
}
function assignClaims(ctx, next) {
	const { params } = ctx.oidc;
	if (params.claims !== void 0 && get$2(ctx.oidc.provider).features.claimsParameter.enabled) ctx.oidc.claims = JSON.parse(params.claims);
	if (params.max_age !== void 0 || ctx.oidc.client.requireAuthTime || ctx.oidc.prompts.has("login")) assignIdTokenClaim(ctx, "auth_time", { essential: true });
	const acrValues = params.acr_values;
	if (acrValues) assignIdTokenClaim(ctx, "acr", { values: acrValues.split(" ") });
	return next();
}
async function checkIdTokenHint(ctx, next) {
	const { oidc } = ctx;
	if (oidc.params.id_token_hint !== void 0) {
		let idTokenHint;
		try {
			idTokenHint = await oidc.provider.IdToken.validate(oidc.params.id_token_hint, oidc.client);
		} catch (cause) {
			if (cause instanceof OIDCProviderError) throw cause;
			throw new InvalidRequest("could not validate id_token_hint", void 0, { cause });
		}
		ctx.oidc.entity("IdTokenHint", idTokenHint);
	}
	return next();
}

// node_modules/oidc-provider/lib/actions/authorization/ciba.js
const CLIENT_NOTIFICATION_TOKEN = /^[A-Za-z0-9._~+\x2F-]+=*$/u;
function cibaRequired(ctx, next) {
	const required = /* @__PURE__ */ new Set(["scope"]);
	const callbackMode = ctx.oidc.client.backchannelTokenDeliveryMode !== "poll";
	if (callbackMode) required.add("client_notification_token");
	validatePresence(ctx, ...required);
	if (callbackMode) {
		const { client_notification_token: clientNotificationToken } = ctx.oidc.params;
		if (!CLIENT_NOTIFICATION_TOKEN.test(clientNotificationToken)) throw new InvalidRequest("client_notification_token must be a valid Bearer token");
		if (clientNotificationToken.length > 1024) throw new InvalidRequest("client_notification_token must not exceed 1024 characters");
	} else ctx.oidc.params.client_notification_token = void 0;
	return next();
}
async function cibaLoadAccount(ctx, next) {
	const mechanisms = omit_by_default({
		login_hint_token: ctx.oidc.params.login_hint_token,
		id_token_hint: ctx.oidc.params.id_token_hint,
		login_hint: ctx.oidc.params.login_hint
	}, (value) => typeof value !== "string" || !value);
	let mechanism;
	let length;
	let value;
	try {
		({0: [mechanism, value], length} = Object.entries(mechanisms));
	} catch {}
	if (!length) throw new InvalidRequest("missing one of required parameters login_hint_token, id_token_hint, or login_hint");
	else if (length !== 1) throw new InvalidRequest("only one of required parameters login_hint_token, id_token_hint, or login_hint must be provided");
	const { findAccount, features } = get$2(ctx.oidc.provider).configuration;
	const { ciba } = features;
	let accountId;
	switch (mechanism) {
		case "id_token_hint":
			await checkIdTokenHint(ctx, () => {});
			({payload: {sub: accountId}} = ctx.oidc.entities.IdTokenHint);
			break;
		case "login_hint_token":
			accountId = await ciba.processLoginHintToken(ctx, value);
			break;
		case "login_hint": accountId = await ciba.processLoginHint(ctx, value);
	}
	if (!accountId) throw new UnknownUserId("could not identify end-user");
	const account$3 = account(await findAccount(ctx, accountId));
	if (!account$3) throw new UnknownUserId("could not identify end-user");
	ctx.oidc.entity("Account", account$3);
	await ciba.verifyUserCode(ctx, account$3, ctx.oidc.params.user_code);
	return next();
}
function checkRequestedExpiry(ctx, next) {
	if (ctx.oidc.params.requested_expiry !== void 0) {
		const requestedExpiry = +ctx.oidc.params.requested_expiry;
		if (!Number.isSafeInteger(requestedExpiry) || Math.sign(requestedExpiry) !== 1) throw new InvalidRequest("invalid requested_expiry parameter value");
	}
	return next();
}
async function checkCibaContext(ctx, next) {
	const { ciba } = get$2(ctx.oidc.provider).features;
	await Promise.all([ciba.validateRequestContext(ctx, ctx.oidc.params.request_context), ciba.validateBindingMessage(ctx, ctx.oidc.params.binding_message)]);
	return next();
}
async function backchannelRequestResponse(ctx) {
	const { BackchannelAuthenticationRequest } = ctx.oidc.provider;
	const { ciba } = get$2(ctx.oidc.provider).features;
	const request = new BackchannelAuthenticationRequest({
		accountId: ctx.oidc.account.accountId,
		claims: ctx.oidc.claims,
		client: ctx.oidc.client,
		nonce: ctx.oidc.params.nonce,
		params: ctx.oidc.params.toPlainObject(),
		resource: Object.keys(ctx.oidc.resourceServers),
		scope: [...ctx.oidc.requestParamScopes].join(" ")
	});
	if (["attest_jwt_client_auth", "attest_jwt_client_auth_dpop"].includes(ctx.oidc.client.clientAuthMethod)) await request.setAttestBinding(ctx);
	switch (request.resource.length) {
		case 0:
			delete request.resource;
			break;
		case 1: [request.resource] = request.resource;
	}
	ctx.oidc.entity("BackchannelAuthenticationRequest", request);
	const id = await request.save();
	ctx.body = {
		expires_in: request.expiration,
		auth_req_id: id
	};
	await ciba.triggerAuthenticationDevice(ctx, request, ctx.oidc.account, ctx.oidc.client);
}
async function requestObjectRemapErrors(_ctx, next) {
	return next().catch((err) => {
		if (err instanceof InvalidRequestObject) Object.assign(err, {
			message: "invalid_request",
			error: "invalid_request"
		});
		throw err;
	});
}

// node_modules/oidc-provider/lib/helpers/is_valid_scope.js
const SCOPE_SYNTAX = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/u;
function isValidScope(scope) {
	return scope === void 0 || typeof scope === "string" && SCOPE_SYNTAX.test(scope);
}

// node_modules/oidc-provider/lib/actions/authorization/scopes.js
async function checkScope(ctx, next) {
	const PARAM_LIST = getAuthorizationParams(ctx);
	const { scopes: statics } = get$2(ctx.oidc.provider).configuration;
	const { prompts, client } = ctx.oidc;
	if (!isValidScope(ctx.oidc.params.scope)) throw new InvalidScope("scope contains invalid characters");
	const scopes = [...new Set(ctx.oidc.params.scope?.split(" "))];
	const responseType = ctx.oidc.params.response_type;
	if (scopes.includes("offline_access")) {
		if (PARAM_LIST.has("response_type") && !responseType.includes("code") || PARAM_LIST.has("prompt") && !prompts.has("consent") || !client.grantTypeAllowed("refresh_token")) scopes.splice(scopes.indexOf("offline_access"), 1);
	}
	if (scopes.length) ctx.oidc.params.scope = scopes.join(" ");
	else ctx.oidc.params.scope = void 0;
	if (client.scope) {
		const allowList = new Set(client.scope.split(" "));
		for (const scope of scopes.filter(Set.prototype.has.bind(statics))) if (!allowList.has(scope)) throw new InvalidScope("requested scope is not allowed", scope);
	}
	return next();
}
const GATED_CLIENT = Object.entries({
	defaultAcrValues: "default_acr_values",
	defaultMaxAge: "default_max_age",
	requireAuthTime: "require_auth_time"
});
const GATED = [
	"acr_values",
	"claims",
	"claims_locales",
	"id_token_hint",
	"max_age",
	"nonce"
];
function checkOpenIdScope(ctx, next) {
	const PARAM_LIST = getAuthorizationParams(ctx);
	if (ctx.oidc.params.scope?.split(" ").includes("openid")) return next();
	if (PARAM_LIST.has("response_type") && ctx.oidc.params.response_type.includes("id_token")) throw new InvalidRequest("openid scope must be requested for this response_type");
	GATED_CLIENT.forEach(([prop, msg]) => {
		if (ctx.oidc.client[prop]) throw new InvalidRequest(`openid scope must be requested for clients with ${msg}`);
	});
	GATED.forEach((param) => {
		if (ctx.oidc.params[param] !== void 0) throw new InvalidRequest(`openid scope must be requested when using the ${param} parameter`);
	});
	if (ctx.oidc.route === "backchannel_authentication") throw new InvalidRequest("openid scope must be requested for this request");
	return next();
}

// node_modules/oidc-provider/lib/actions/authorization/session.js
async function loadAccount(ctx, next) {
	const { accountId } = ctx.oidc.session;
	if (accountId) {
		const account$2 = account(await get$2(ctx.oidc.provider).configuration.findAccount(ctx, accountId));
		ctx.oidc.entity("Account", account$2);
	}
	return next();
}
async function loadGrant(ctx, next) {
	const { loadExistingGrant } = get$2(ctx.oidc.provider).configuration;
	if (ctx.oidc.account) {
		let grant = await loadExistingGrant(ctx);
		if (grant) {
			if (grant.accountId !== ctx.oidc.account.accountId) throw new Error("accountId mismatch");
			if (grant.clientId !== ctx.oidc.client.clientId) throw new Error("clientId mismatch");
			ctx.oidc.session.ensureClientContainer(ctx.oidc.params.client_id);
			ctx.oidc.session.grantIdFor(ctx.oidc.params.client_id, grant.jti);
		} else grant = new ctx.oidc.provider.Grant({
			accountId: ctx.oidc.account.accountId,
			clientId: ctx.oidc.client.clientId
		});
		ctx.oidc.entity("Grant", grant);
	}
	return next();
}

// node_modules/oidc-provider/lib/actions/authorization/sender_constraints.js
function checkPKCE(ctx, next) {
	const { params } = ctx.oidc;
	const { pkce } = get$2(ctx.oidc.provider).configuration;
	if (!params.code_challenge_method && params.code_challenge) throw new InvalidRequest("code_challenge_method must be provided");
	if (params.code_challenge_method) {
		if (params.code_challenge_method !== "S256") throw new InvalidRequest("not supported value of code_challenge_method");
		if (!params.code_challenge) throw new InvalidRequest("code_challenge must be provided with code_challenge_method");
	}
	if (params.response_type.includes("code")) {
		if (!params.code_challenge) {
			if (boolean(pkce.required(ctx, ctx.oidc.client), "pkce.required")) throw new InvalidRequest("Authorization Server policy requires PKCE to be used for this request");
		}
	}
	if (params.code_challenge !== void 0) pkce_format_default(params.code_challenge, "code_challenge");
	return next();
}
async function checkDpopJkt(ctx, next) {
	const { params } = ctx.oidc;
	const dPoP = await validateDpop(ctx.oidc.provider, ctx);
	if (dPoP) {
		await checkDpopReplay(ctx.oidc.provider, ctx, dPoP, ctx.oidc.client.clientId, InvalidRequest);
		if (params.dpop_jkt && params.dpop_jkt !== dPoP.thumbprint) throw new InvalidRequest("DPoP proof key thumbprint does not match dpop_jkt");
		else if (!params.dpop_jkt) params.dpop_jkt = dPoP.thumbprint;
	}
	return next();
}

// node_modules/oidc-provider/lib/helpers/user_codes.js
const CHARSETS = {
	"base-20": "BCDFGHJKLMNPQRSTVWXZ",
	digits: "0123456789"
};
function generate(charset, mask) {
	const length = mask.split("*").length - 1;
	if (typeof CHARSETS[charset] !== "function") CHARSETS[charset] = customAlphabet(CHARSETS[charset]);
	const generated = CHARSETS[charset](length).split("");
	return mask.split("").map((p) => {
		if (p === "*") return generated.shift();
		return p;
	}).join("");
}
function denormalize(normalized, mask) {
	const chars = normalized.split("");
	return mask.split("").map((p) => {
		if (p === "*") return chars.shift();
		return p;
	}).join("");
}
function normalize(input) {
	return input.replace(/[a-z]/g, (char) => char.toUpperCase()).replace(/\W/g, () => "");
}

// node_modules/oidc-provider/lib/actions/authorization/device.js
async function deviceUserFlow(ctx, next) {
	if (ctx.oidc.route === "device_resume") {
		const code = await ctx.oidc.provider.DeviceCode.find(ctx.oidc.entities.Interaction.deviceCode, {
			ignoreExpiration: true,
			ignoreSessionBinding: true
		});
		if (!code) throw new NotFoundError();
		if (code.isExpired) throw new ExpiredError();
		if (code.error || code.accountId) throw new AlreadyUsedError();
		ctx.oidc.entity("DeviceCode", code);
	} else ctx.oidc.params = new Params(getAuthorizationParams(ctx), ctx.oidc.deviceCode.params);
	await next();
}
async function deviceUserFlowErrors(ctx, next) {
	try {
		await next();
	} catch (cause) {
		if (!(cause instanceof ReRenderError)) {
			const out = err_out_default(cause);
			let code = ctx.oidc.deviceCode;
			if (!code && ctx.oidc.entities.Interaction?.deviceCode) code = await ctx.oidc.provider.DeviceCode.find(ctx.oidc.entities.Interaction.deviceCode, {
				ignoreExpiration: true,
				ignoreSessionBinding: true
			});
			if (code) {
				Object.assign(code, {
					error: out.error,
					errorDescription: out.error_description
				});
				await code.save();
				if (cause instanceof AccessDenied) throw new AbortedError({ cause });
			}
		}
		throw cause;
	}
}
async function deviceVerificationResponse(ctx) {
	const { configuration, features } = get$2(ctx.oidc.provider);
	const code = ctx.oidc.deviceCode;
	const scopeSet = combined_scope_default(ctx.oidc.grant, ctx.oidc.requestParamScopes, ctx.oidc.resourceServers);
	Object.assign(code, {
		accountId: ctx.oidc.session.accountId,
		acr: ctx.oidc.acr,
		amr: ctx.oidc.amr,
		authTime: ctx.oidc.session.authTime(),
		claims: ctx.oidc.claims,
		grantId: ctx.oidc.session.grantIdFor(ctx.oidc.client.clientId),
		scope: [...scopeSet].join(" "),
		sessionUid: ctx.oidc.session.uid,
		resource: Object.keys(ctx.oidc.resourceServers)
	});
	if (Object.keys(code.claims).length === 0) delete code.claims;
	switch (code.resource.length) {
		case 0:
			delete code.resource;
			break;
		case 1: [code.resource] = code.resource;
	}
	if (boolean(await configuration.expiresWithSession(ctx, code), "expiresWithSession")) code.expiresWithSession = true;
	else ctx.oidc.session.authorizationFor(ctx.oidc.client.clientId).persistsLogout = true;
	if (ctx.oidc.client.includeSid() || ctx.oidc.claims.id_token && "sid" in ctx.oidc.claims.id_token) code.sid = ctx.oidc.session.sidFor(ctx.oidc.client.clientId);
	if (features.richAuthorizationRequests.enabled && (ctx.oidc.params.authorization_details !== void 0 || ctx.oidc.grant.rar?.length)) code.rar = normalizeAuthorizationDetails(await features.richAuthorizationRequests.authorizationDetailsForGrantSource(ctx, code));
	await code.save();
	await features.deviceFlow.successSource(ctx);
	ctx.oidc.provider.emit("authorization.success", ctx);
}
async function deviceAuthorizationResponse(ctx) {
	const { charset, mask, deviceInfo } = get$2(ctx.oidc.provider).features.deviceFlow;
	const userCode = generate(charset, mask);
	const dc = new ctx.oidc.provider.DeviceCode({
		client: ctx.oidc.client,
		deviceInfo: deviceInfo(ctx),
		params: ctx.oidc.params.toPlainObject(),
		userCode: normalize(userCode)
	});
	if (["attest_jwt_client_auth", "attest_jwt_client_auth_dpop"].includes(ctx.oidc.client.clientAuthMethod)) await dc.setAttestBinding(ctx);
	ctx.oidc.entity("DeviceCode", dc);
	ctx.body = {
		device_code: await dc.save(),
		user_code: userCode,
		verification_uri: ctx.oidc.urlFor("code_verification"),
		verification_uri_complete: ctx.oidc.urlFor("code_verification", { query: { user_code: userCode } }),
		expires_in: dc.expiration
	};
	ctx.oidc.provider.emit("device_authorization.success", ctx, ctx.body);
}

// node_modules/oidc-provider/lib/actions/authorization/index.js
const A = "authorization";
const R = "resume";
const DA = "device_authorization";
const CV = "code_verification";
const DR = "device_resume";
const PAR = "pushed_authorization_request";
const BA = "backchannel_authentication";
const authRequired = /* @__PURE__ */ new Set([
	DA,
	PAR,
	BA
]);
function assembleClientAuthParams(ctx, next) {
	return assembleParams(getClientAuthParams(ctx), ctx, next);
}
const stacks = new Map([
	A,
	R,
	DA,
	CV,
	DR,
	PAR,
	BA
].map((endpoint) => [endpoint, void 0]));
function authorizationAction(endpoint) {
	strict(stacks.has(endpoint), "invalid authorization endpoint");
	const cached = stacks.get(endpoint);
	if (cached) return cached;
	const stack = [];
	const use = (middleware, ...only) => {
		if (only.includes(endpoint)) stack.push(middleware);
	};
	use(noCache, A, DA, R, CV, DR, PAR, BA);
	use(sessionHandler, A, R, DR);
	use(deviceUserFlowErrors, CV, DR);
	use(resumeAction, R, DR);
	use(deviceUserFlow, CV, DR);
	use(urlencoded, A, DA, PAR, BA);
	if (authRequired.has(endpoint)) {
		use(assembleClientAuthParams, DA, PAR, BA);
		for (const clientAuthMiddlware of client_auth_default) use(clientAuthMiddlware, DA, PAR, BA);
	}
	use(deviceAuthorizationResponse$1, DA, BA);
	use(assembleAuthorizationParams, A, DA, PAR, BA);
	use(rejectAuthorizationDupes, A, DA, PAR, BA);
	use(rejectUnsupported, A, DA, PAR, BA);
	use(stripOutsideJarParams, PAR, BA);
	use(checkClient, A, DA, R, CV, DR);
	use(checkClientGrantType, DA, BA);
	use(requestObjectRemapErrors$1, PAR);
	use(requestObjectRemapErrors, BA);
	use(loadPushedAuthorizationRequest, A);
	use(processRequestObject, A, DA, PAR, BA);
	use(checkResponseMode, A, PAR);
	use(oneRedirectUriClients, A, PAR);
	use(oauthRequired, A, PAR);
	use(rejectRegistration, A, DA, PAR, BA);
	use(checkResponseType, A, PAR);
	use(oidcRequired, A, PAR);
	use(cibaRequired, BA);
	use(assignDefaults, A, DA, BA);
	use(checkPrompt, A, PAR);
	use(checkScope, A, DA, PAR, BA);
	use(checkOpenIdScope, A, DA, PAR, BA);
	use(checkRedirectUri, A, PAR);
	use(checkPKCE, A, PAR);
	use(checkClaims, A, DA, PAR, BA);
	use(checkRar, A, DA, PAR, BA);
	use(checkResource, A, DA, R, CV, DR, PAR, BA);
	use(checkMaxAge, A, DA, PAR, BA);
	use(checkRequestedExpiry, BA);
	use(checkCibaContext, BA);
	use(checkIdTokenHint, A, DA, PAR);
	use(checkDpopJkt, PAR);
	use(checkExtraParams, A, DA, PAR, BA);
	use(interactionEmit, A, R, CV, DR);
	use(assignClaims, A, R, CV, DR, BA);
	use(cibaLoadAccount, BA);
	use(loadAccount, A, R, CV, DR);
	use(loadGrant, A, R, CV, DR);
	use(interactions, A, R, CV, DR);
	use(respond, A, R);
	use(deviceAuthorizationResponse, DA);
	use(deviceVerificationResponse, CV, DR);
	use(pushedAuthorizationRequestResponse, PAR);
	use(backchannelRequestResponse, BA);
	stacks.set(endpoint, stack);
	return stack;
}

// node_modules/oidc-provider/lib/helpers/oidc_context.js
const COOKIES = Symbol();
var NoAccessTokenProvided = class extends InvalidToken {
	constructor() {
		super();
		this.error_detail = this.error_description = "no access token provided";
	}
};
function getContext(provider) {
	const state = get$2(provider);
	class OIDCContext extends events.EventEmitter {
		#requestParamClaims = null;
		#accessToken = null;
		#fapiProfile = null;
		constructor(ctx) {
			super();
			this.ctx = ctx;
			this.route = ctx._matchedRouteName;
			this.redirectUriCheckPerformed = false;
			this.entities = {};
			this.claims = {};
			this.resourceServers = {};
		}
		get cookies() {
			if (!this[COOKIES]) {
				this[COOKIES] = provider.createContext(this.ctx.req, this.ctx.res).cookies;
				this[COOKIES].secure = !this[COOKIES].secure && this.ctx.secure ? true : this[COOKIES].secure;
			}
			return this[COOKIES];
		}
		get fapiProfile() {
			if (this.#fapiProfile === null) this.#fapiProfile = state.configuration.features.fapi.profile(this.ctx, this.client);
			return this.#fapiProfile;
		}
		isFapi(...oneOf) {
			const i = oneOf.indexOf(this.fapiProfile);
			return i !== -1 ? oneOf[i] : void 0;
		}
		get issuer() {
			return provider.issuer;
		}
		get provider() {
			return provider;
		}
		entity(key, value) {
			this.entities[key] = value;
			if (key === "Client") this.emit("assign.client", this.ctx, value);
		}
		urlFor(name, opt) {
			const { originalUrl } = this.ctx.req;
			const mountPath = originalUrl?.substring(0, originalUrl?.indexOf(this.ctx.request.url)) || this.ctx.mountPath || this.ctx.req.baseUrl || "";
			return new URL(provider.pathFor(name, {
				mountPath,
				...opt
			}), this.ctx.href).href;
		}
		promptPending(name) {
			if (this.ctx.oidc.route.endsWith("resume")) {
				const should = /* @__PURE__ */ new Set([...this.prompts]);
				Object.keys(this.result || {}).forEach(Set.prototype.delete.bind(should));
				return should.has(name);
			}
			return this.prompts.has(name);
		}
		get requestParamClaims() {
			if (this.#requestParamClaims) return this.#requestParamClaims;
			const requestParamClaims = /* @__PURE__ */ new Set();
			if (this.params.claims) {
				const { userinfo, id_token: idToken } = JSON.parse(this.params.claims);
				const claims = state.configuration.claimsSupported;
				if (userinfo) Object.entries(userinfo).forEach(([claim, value]) => {
					if (claims.has(claim) && (value === null || is_json_object_default(value))) requestParamClaims.add(claim);
				});
				if (idToken) Object.entries(idToken).forEach(([claim, value]) => {
					if (claims.has(claim) && (value === null || is_json_object_default(value))) requestParamClaims.add(claim);
				});
			}
			this.#requestParamClaims = requestParamClaims;
			return requestParamClaims;
		}
		clientJwtAuthExpectedAudience() {
			return /* @__PURE__ */ new Set([
				this.issuer,
				this.urlFor("token"),
				this.urlFor(this.route)
			]);
		}
		get requestParamScopes() {
			return new Set(this.params.scope?.split(" "));
		}
		get requestParamOIDCScopes() {
			return new Set(this.params.scope?.split(" ").filter(Set.prototype.has.bind(state.configuration.scopes)));
		}
		get responseMode() {
			if (typeof this.params.response_mode === "string") return this.params.response_mode;
			if (this.params.response_type !== void 0) return resolve$1(this.params.response_type);
		}
		get acr() {
			return this.session.acr;
		}
		get amr() {
			return this.session.amr;
		}
		get prompts() {
			return new Set(this.params.prompt ? this.params.prompt.split(" ") : []);
		}
		get registrationAccessToken() {
			return this.entities.RegistrationAccessToken;
		}
		get deviceCode() {
			return this.entities.DeviceCode;
		}
		get authorizationCode() {
			return this.entities.AuthorizationCode;
		}
		get refreshToken() {
			return this.entities.RefreshToken;
		}
		get accessToken() {
			return this.entities.AccessToken;
		}
		get account() {
			return this.entities.Account;
		}
		get client() {
			return this.entities.Client;
		}
		get grant() {
			return this.entities.Grant;
		}
		getAccessToken({ acceptDPoP = false, acceptQueryParam = state.configuration.acceptQueryParamAccessTokens && !state.configuration.features.fapi.enabled } = {}) {
			if (this.#accessToken) return this.#accessToken;
			const { ctx } = this;
			const mechanisms = omit_by_default({
				body: ctx.is("application/x-www-form-urlencoded") && ctx.oidc.body?.access_token,
				header: ctx.headers.authorization,
				query: ctx.query.access_token
			}, (value) => typeof value !== "string" || !value);
			let mechanism;
			let length;
			let token;
			try {
				({0: [mechanism, token], length} = Object.entries(mechanisms));
			} catch {}
			if (!length) throw new NoAccessTokenProvided();
			if (length > 1) throw new InvalidRequest("access token must only be provided using one mechanism");
			if (!acceptQueryParam && mechanism === "query") throw new InvalidRequest("access tokens must not be provided via query parameter");
			const dpop = acceptDPoP && state.configuration.features.dPoP.enabled && ctx.get("DPoP");
			if (mechanism === "header") {
				const { 0: scheme, 1: value, length: parts } = token.split(" ");
				if (parts !== 2) throw new InvalidRequest("invalid authorization header value format");
				if (dpop && scheme.toLowerCase() !== "dpop") throw new InvalidRequest("authorization header scheme must be `DPoP` when DPoP is used");
				else if (!dpop && scheme.toLowerCase() === "dpop") throw new InvalidRequest("`DPoP` header not provided");
				else if (!dpop && scheme.toLowerCase() !== "bearer") throw new InvalidRequest("authorization header scheme must be `Bearer`");
				token = value;
			}
			if (dpop && mechanism !== "header") throw new InvalidRequest("`DPoP` tokens must be provided via an authorization header");
			this.#accessToken = token;
			return token;
		}
	}
	return OIDCContext;
}

// node_modules/oidc-provider/lib/shared/set_www_authenticate_header.js
function getSetWWWAuthenticateHeader({ tokenProperty = "accessToken", includeScope = true, dpop } = {}) {
	return async function setWWWAuthenticateHeader(ctx, next) {
		try {
			await next();
		} catch (err) {
			if (!err.expose || dpop === false && err.statusCode !== 401) throw err;
			const conf = get$2(ctx.oidc.provider);
			const dpopEnabled = dpop !== false && conf.features.dPoP.enabled;
			const scope = includeScope ? err.scope : void 0;
			const algs = dpopEnabled ? conf.configuration.dPoPSigningAlgValues.join(" ") : void 0;
			if (err instanceof NoAccessTokenProvided) {
				appendWWWAuthenticate(ctx, "Bearer", {
					realm: ctx.oidc.issuer,
					scope
				});
				if (dpopEnabled) appendWWWAuthenticate(ctx, "DPoP", {
					realm: ctx.oidc.issuer,
					scope,
					algs
				});
				throw err;
			}
			let scheme = "Bearer";
			if (dpopEnabled) {
				if (/dpop/i.test(err.error_description) || ctx.oidc[tokenProperty]?.jkt || ctx.get("DPoP")) scheme = "DPoP";
				if (err instanceof InvalidDpopProof || err instanceof UseDpopNonce) err.status = err.statusCode = 401;
			}
			appendWWWAuthenticate(ctx, scheme, {
				realm: ctx.oidc.issuer,
				error: err.error ?? err.message,
				error_description: err.error_description,
				scope,
				...scheme === "DPoP" ? { algs } : void 0
			});
			throw err;
		}
	};
}

// node_modules/oidc-provider/lib/shared/access_token.js
function getValidateAccessToken({ afterFind } = {}) {
	return async function validateAccessToken(ctx, next) {
		const value = ctx.oidc.getAccessToken({ acceptDPoP: true });
		const dPoP = await validateDpop(ctx.oidc.provider, ctx, value);
		const accessToken = await ctx.oidc.provider.AccessToken.find(value);
		ctx.assert(accessToken, new InvalidToken("access token not found"));
		ctx.oidc.entity("AccessToken", accessToken);
		await afterFind?.(ctx, accessToken);
		if (accessToken["x5t#S256"]) {
			const { getCertificate } = get$2(ctx.oidc.provider).features.mTLS;
			const cert = getCertificate(ctx);
			if (!cert || accessToken["x5t#S256"] !== certThumbprint(cert)) throw new InvalidToken("failed x5t#S256 verification");
		}
		await checkDpopReplay(ctx.oidc.provider, ctx, dPoP, accessToken.clientId, InvalidToken);
		if (dPoP && !accessToken.jkt) throw new InvalidToken("access token is not sender-constrained but proof of possession was provided");
		if (accessToken.jkt && (!dPoP || accessToken.jkt !== dPoP.thumbprint)) throw new InvalidToken("failed jkt verification");
		await next();
	};
}
async function loadAccessTokenClient(ctx, next) {
	const client = await ctx.oidc.provider.Client.find(ctx.oidc.accessToken.clientId);
	ctx.assert(client, new InvalidToken("associated client not found"));
	ctx.oidc.entity("Client", client);
	await next();
}
async function loadAccessTokenAccount(ctx, next) {
	const account$1 = account(await get$2(ctx.oidc.provider).configuration.findAccount(ctx, ctx.oidc.accessToken.accountId, ctx.oidc.accessToken));
	ctx.assert(account$1, new InvalidToken("associated account not found"));
	ctx.oidc.entity("Account", account$1);
	await next();
}
async function loadAccessTokenGrant(ctx, next) {
	const grant = await ctx.oidc.provider.Grant.find(ctx.oidc.accessToken.grantId, { ignoreExpiration: true });
	if (!grant) throw new InvalidToken("grant not found");
	if (grant.isExpired) throw new InvalidToken("grant is expired");
	if (grant.clientId !== ctx.oidc.accessToken.clientId) throw new InvalidToken("clientId mismatch");
	if (grant.accountId !== ctx.oidc.accessToken.accountId) throw new InvalidToken("accountId mismatch");
	ctx.oidc.entity("Grant", grant);
	await next();
}

// node_modules/oidc-provider/lib/actions/userinfo.js
const PARAM_LIST$1 = /* @__PURE__ */ new Set(["scope", "access_token"]);
const validateAccessToken$1 = getValidateAccessToken({ afterFind(_ctx, accessToken) {
	if (!accessToken.scopes.size || !accessToken.scopes.has("openid")) throw new InsufficientScope("access token missing openid scope", "openid");
} });
var userinfo_default = [
	noCache,
	getSetWWWAuthenticateHeader(),
	urlencoded,
	assembleParams.bind(void 0, PARAM_LIST$1),
	rejectDupes.bind(void 0, {}),
	validateAccessToken$1,
	function validateAudience(ctx, next) {
		const { oidc: { entities: { AccessToken: accessToken } } } = ctx;
		if (accessToken.aud !== void 0) throw new InvalidToken("token audience prevents accessing the userinfo endpoint");
		return next();
	},
	async function validateScope(ctx, next) {
		if (ctx.oidc.params.scope) {
			if (!isValidScope(ctx.oidc.params.scope)) throw new InvalidRequest("scope contains invalid characters");
			const missing = difference_default(ctx.oidc.params.scope.split(" "), [...ctx.oidc.accessToken.scopes]);
			if (missing.length !== 0) throw new InsufficientScope("access token missing requested scope", missing.join(" "));
		}
		await next();
	},
	loadAccessTokenClient,
	loadAccessTokenAccount,
	loadAccessTokenGrant,
	async function respond(ctx) {
		const claims = filter_claims_default(ctx.oidc.accessToken.claims, "userinfo", ctx.oidc.grant);
		const rejected = ctx.oidc.grant.getRejectedOIDCClaims();
		const scope = ctx.oidc.grant.getOIDCScopeFiltered(new Set((ctx.oidc.params.scope || ctx.oidc.accessToken.scope).split(" ")));
		const { client } = ctx.oidc;
		if (client.userinfoSignedResponseAlg || client.userinfoEncryptedResponseAlg) {
			const token = new ctx.oidc.provider.IdToken(await getCtxAccountClaims(ctx, "userinfo", scope, claims, rejected), { ctx });
			token.scope = scope;
			token.mask = claims;
			token.rejected = rejected;
			ctx.body = await token.issue({
				expiresAt: ctx.oidc.accessToken.exp,
				use: "userinfo"
			});
			ctx.type = "application/jwt; charset=utf-8";
		} else {
			const mask = new ctx.oidc.provider.Claims(await getCtxAccountClaims(ctx, "userinfo", scope, claims, rejected), { ctx });
			mask.scope(scope);
			mask.mask(claims);
			mask.rejected(rejected);
			ctx.body = await mask.result();
		}
	}
];

// node_modules/oidc-provider/lib/actions/token.js
const grantTypeSet = /* @__PURE__ */ new Set(["grant_type"]);
var token_default = [
	noCache,
	urlencoded,
	function assembleTokenParams(ctx, next) {
		const { grantTypeParams } = get$2(ctx.oidc.provider);
		const allowList = /* @__PURE__ */ new Set([...grantTypeParams.get(void 0), ...getClientAuthParams(ctx)]);
		return assembleParams(allowList, ctx, next);
	},
	...client_auth_default,
	rejectDupes.bind(void 0, { only: grantTypeSet }),
	async function stripGrantIrrelevantParams(ctx, next) {
		const { grantTypeParams } = get$2(ctx.oidc.provider);
		const authParams = getClientAuthParams(ctx);
		const grantParams = grantTypeParams.get(ctx.oidc.params.grant_type);
		if (grantParams) Object.keys(ctx.oidc.params).forEach((key) => {
			if (!(authParams.has(key) || grantParams.has(key))) delete ctx.oidc.params[key];
		});
		await next();
	},
	async function supportedGrantTypeCheck(ctx, next) {
		validatePresence(ctx, "grant_type");
		if (!get$2(ctx.oidc.provider).configuration.grantTypes.has(ctx.oidc.params.grant_type) || ctx.oidc.params.grant_type === "implicit") throw new UnsupportedGrantType();
		await next();
	},
	async function allowedGrantTypeCheck(ctx, next) {
		if (!ctx.oidc.client.grantTypeAllowed(ctx.oidc.params.grant_type)) throw new InvalidRequest("requested grant type is not allowed for this client");
		await next();
	},
	async function rejectDupesOptionalExcept(ctx, next) {
		const { grantTypeDupes } = get$2(ctx.oidc.provider);
		const grantType = ctx.oidc.params.grant_type;
		if (grantTypeDupes.has(grantType)) return rejectDupes({ except: grantTypeDupes.get(grantType) }, ctx, next);
		return rejectDupes({}, ctx, next);
	},
	async function validateScope(ctx, next) {
		if (!isValidScope(ctx.oidc.params.scope)) throw new InvalidScope("scope contains invalid characters");
		return next();
	},
	checkRar,
	async function ensureRarResource(ctx, next) {
		if (ctx.oidc.params.authorization_details !== void 0) {
			if (ctx.oidc.params.resource === void 0) {
				const { defaultResource } = get$2(ctx.oidc.provider).features.resourceIndicators;
				ctx.oidc.params.resource = await defaultResource(ctx, ctx.oidc.client);
			}
			if (!ctx.oidc.params.resource || Array.isArray(ctx.oidc.params.resource) && ctx.oidc.params.resource.length === 0) throw new InvalidTarget("resource indicator must be provided or defaulted to when Rich Authorization Requests are used");
		}
		return next();
	},
	async function callTokenHandler(ctx) {
		const grantType = ctx.oidc.params.grant_type;
		const { grantTypeHandlers } = get$2(ctx.oidc.provider);
		await grantTypeHandlers.get(grantType)(ctx);
		ctx.oidc.provider.emit("grant.success", ctx);
	}
];

// node_modules/oidc-provider/lib/actions/jwks.js
function renderJWKS(ctx) {
	const { keys } = get$2(ctx.oidc.provider).jwks;
	ctx.body = { keys };
	ctx.type = "application/jwk-set+json; charset=utf-8";
}

// node_modules/oidc-provider/lib/helpers/fetch_body_check.js
async function fetchBodyCheck(provider, purpose, response) {
	const limit = get$2(provider).configuration.fetchResponseBodyLimits[purpose];
	if (!Number.isFinite(limit)) return Buffer.from(await response.arrayBuffer());
	const contentLength = response.headers.get("content-length");
	if (contentLength && parseInt(contentLength, 10) > limit) {
		await response.body?.cancel();
		throw new Error("response too large");
	}
	const chunks = [];
	let received = 0;
	for await (const chunk of response.body) {
		received += chunk.length;
		if (received > limit) {
			await response.body?.cancel();
			throw new Error("response too large");
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

// node_modules/oidc-provider/lib/helpers/fetch_request.js
const SPECIAL_USE_IPV4 = [
	{
		prefix: 0,
		mask: 4278190080
	},
	{
		prefix: 167772160,
		mask: 4278190080
	},
	{
		prefix: 1681915904,
		mask: 4290772992
	},
	{
		prefix: 2130706432,
		mask: 4278190080
	},
	{
		prefix: 2851995648,
		mask: 4294901760
	},
	{
		prefix: 2886729728,
		mask: 4293918720
	},
	{
		prefix: 3221225472,
		mask: 4294967040
	},
	{
		prefix: 3221225984,
		mask: 4294967040
	},
	{
		prefix: 3223307264,
		mask: 4294967040
	},
	{
		prefix: 3224682752,
		mask: 4294967040
	},
	{
		prefix: 3227017984,
		mask: 4294967040
	},
	{
		prefix: 3232235520,
		mask: 4294901760
	},
	{
		prefix: 3232706560,
		mask: 4294967040
	},
	{
		prefix: 3323068416,
		mask: 4294836224
	},
	{
		prefix: 3325256704,
		mask: 4294967040
	},
	{
		prefix: 3405803776,
		mask: 4294967040
	},
	{
		prefix: 4026531840,
		mask: 4026531840
	}
];
function ipv4ToInt(ip) {
	let result = 0;
	let octet = 0;
	for (let i = 0; i <= ip.length; i++) if (i === ip.length || ip.charCodeAt(i) === 46) {
		result = result * 256 + octet;
		octet = 0;
	} else octet = octet * 10 + ip.charCodeAt(i) - 48;
	return result >>> 0;
}
function expandIPv6(address) {
	let parts;
	const dcIndex = address.indexOf("::");
	if (dcIndex !== -1) {
		const left = address.substring(0, dcIndex);
		const right = address.substring(dcIndex + 2);
		const leftParts = left ? left.split(":") : [];
		const rightParts = right ? right.split(":") : [];
		const missing = 8 - leftParts.length - rightParts.length;
		parts = leftParts;
		for (let i = 0; i < missing; i++) parts.push("0000");
		for (let i = 0; i < rightParts.length; i++) parts.push(rightParts[i]);
	} else parts = address.split(":");
	let result = "";
	for (let i = 0; i < 8; i++) result += parts[i].padStart(4, "0");
	return result;
}
const V4_OCTET_BUCKETS = new Array(256);
for (let i = 0; i < 256; i++) V4_OCTET_BUCKETS[i] = [];
for (const entry of SPECIAL_USE_IPV4) {
	const entryStart = entry.prefix >>> 24 & 255;
	const hostBits = ~entry.mask >>> 24 & 255;
	for (let o = entryStart; o <= entryStart + hostBits && o < 256; o++) V4_OCTET_BUCKETS[o].push(entry);
}
function isSpecialUseIPv4(address) {
	const addr = ipv4ToInt(address);
	const bucket = V4_OCTET_BUCKETS[addr >>> 24 & 255];
	for (let i = 0; i < bucket.length; i++) if ((addr & bucket[i].mask) >>> 0 === bucket[i].prefix) return true;
	return false;
}
const SPECIAL_USE_IPV6 = [
	"0064ff9b0000000000000000",
	"0064ff9b0001",
	"0100000000000000",
	"0100000000000001",
	"200100",
	"200101",
	"20010db8",
	"2002",
	"2620004f8000",
	"3fff0",
	"5f00",
	"fc",
	"fd",
	"fe8",
	"fe9",
	"fea",
	"feb"
];
function hexCharToTrieIndex(code) {
	return code <= 57 ? code - 48 : code - 87;
}
const TRIE_CHILDREN = [];
const TRIE_TERMINAL = [];
function allocTrieNode() {
	const id = TRIE_CHILDREN.length;
	TRIE_CHILDREN.push((/* @__PURE__ */ new Int8Array(16)).fill(-1));
	TRIE_TERMINAL.push(0);
	return id;
}
const IPV6_TRIE_ROOT = allocTrieNode();
for (const prefix of SPECIAL_USE_IPV6) {
	let node = IPV6_TRIE_ROOT;
	for (let i = 0; i < prefix.length; i++) {
		const ci = hexCharToTrieIndex(prefix.charCodeAt(i));
		if (TRIE_CHILDREN[node][ci] === -1) TRIE_CHILDREN[node][ci] = allocTrieNode();
		node = TRIE_CHILDREN[node][ci];
	}
	TRIE_TERMINAL[node] = 1;
}
function isSpecialUseIPv6(address) {
	const lower = address.toLowerCase();
	if (lower === "::" || lower === "::1") return true;
	if (lower.startsWith("::ffff:")) {
		const v4part = lower.substring(7);
		if (v4part.includes(".")) return isSpecialUseIPv4(v4part);
	}
	const full = expandIPv6(lower);
	let node = IPV6_TRIE_ROOT;
	for (let i = 0; i < full.length; i++) {
		if (TRIE_TERMINAL[node]) return true;
		const next = TRIE_CHILDREN[node][hexCharToTrieIndex(full.charCodeAt(i))];
		if (next === -1) return false;
		node = next;
	}
	return !!TRIE_TERMINAL[node];
}
function isSpecialUseIP(address) {
	if (!address.includes(":")) return isSpecialUseIPv4(address);
	return isSpecialUseIPv6(address);
}
function getAgent() {
	return (globalThis[Symbol.for("undici.globalDispatcher.2")] ?? globalThis[Symbol.for("undici.globalDispatcher.1")])?.constructor;
}
function socketSymbolFor(target) {
	if (target === null || target === void 0) return void 0;
	return Object.getOwnPropertySymbols(target).find((s) => s.description === "socket");
}
function destroySpecialUseSocket(target, socketSymbol = socketSymbolFor(target)) {
	const socket = socketSymbol === void 0 ? void 0 : target[socketSymbol];
	if (socket?.remoteAddress === void 0 || !isSpecialUseIP(socket.remoteAddress)) return false;
	socket.destroy(/* @__PURE__ */ new Error("hostname resolves to a special-use IP address"));
	return true;
}
function applySSRFProtection(dispatcher) {
	dispatcher.on("connect", (_origin, targets) => {
		const client = targets[targets.length - 1];
		destroySpecialUseSocket(client);
	});
	return dispatcher;
}
function createSSRFProtectedDispatcher() {
	return applySSRFProtection(new (getAgent())());
}
let dispatcher;
async function fetchRequest(provider, url, options) {
	options.signal = AbortSignal.timeout(2500);
	options.headers = new Headers(options.headers);
	options.headers.set("user-agent", "");
	if (dispatcher === void 0) try {
		dispatcher = createSSRFProtectedDispatcher();
	} catch {
		warn("failed to setup SSRF protection for fetch, outgoing requests will not be checked for special-use IP addresses");
		dispatcher = null;
	}
	if (dispatcher) options.dispatcher = dispatcher;
	return get$2(provider).configuration.fetch(url, options);
}

// node_modules/oidc-provider/lib/helpers/sector_validate.js
async function sectorValidate(provider, client) {
	if (!boolean(get$2(provider).configuration.sectorIdentifierUriValidate(client), "sectorIdentifierUriValidate")) return;
	const response = await fetchRequest(provider, new URL(client.sectorIdentifierUri).href, {
		method: "GET",
		headers: { accept: "application/json" }
	}).catch((cause) => {
		throw new InvalidClientMetadata("could not load sector_identifier_uri response", { cause });
	});
	if (response.status !== 200) throw new InvalidClientMetadata(`unexpected sector_identifier_uri response status code, expected 200 OK, got ${response.status} ${STATUS_CODES[response.status]}`, { cause: response });
	let body;
	try {
		body = (await fetchBodyCheck(provider, "sector_identifier_uri", response)).toString();
	} catch (cause) {
		throw new InvalidClientMetadata("could not load sector_identifier_uri response", { cause });
	}
	try {
		body = JSON.parse(body);
	} catch (cause) {
		throw new InvalidClientMetadata("failed to parse sector_identifier_uri JSON response", { cause });
	}
	try {
		if (!Array.isArray(body)) throw new Error("sector_identifier_uri must return single JSON array");
		if (body.some((value) => typeof value !== "string")) throw new Error("sector_identifier_uri must return an array of redirect_uri values");
		if (client.responseTypes.length) {
			if (!client.redirectUris.every((uri) => body.includes(uri))) throw new Error("all registered redirect_uris must be included in the sector_identifier_uri response");
		}
		if (client.grantTypes.includes("urn:openid:params:grant-type:ciba") || client.grantTypes.includes("urn:ietf:params:oauth:grant-type:device_code")) {
			if (!body.includes(client.jwksUri)) throw new Error("client's jwks_uri must be included in the sector_identifier_uri response");
		}
	} catch (cause) {
		throw new InvalidClientMetadata(cause.message, { cause });
	}
}

// node_modules/oidc-provider/lib/helpers/add_client.js
async function add(provider, metadata, { ctx, store, cimd } = {}) {
	const client = new provider.Client(metadata, ctx, { cimd });
	if (client.sectorIdentifierUri !== void 0) await sectorValidate(provider, client);
	if (!cimd && store) await provider.Client.adapter.upsert(client.clientId, client.metadata());
	return client;
}

// node_modules/oidc-provider/lib/shared/validate_json_body.js
function getValidateJsonBody(ErrorClass, errorDescription) {
	return async function validateJsonBody(ctx, next) {
		if (ctx.oidc.body === null || typeof ctx.oidc.body !== "object" || Array.isArray(ctx.oidc.body)) throw new ErrorClass(errorDescription);
		return next();
	};
}

// node_modules/oidc-provider/lib/actions/registration.js
const setWWWAuthenticate = getSetWWWAuthenticateHeader({ dpop: false });
const validateRegistrationBody = getValidateJsonBody(InvalidRequest, "client registration request must be a JSON object");
const validateClientUpdateBody = getValidateJsonBody(InvalidRequest, "client update request must be a JSON object");
const FORBIDDEN = [
	"registration_access_token",
	"registration_client_uri",
	"client_secret_expires_at",
	"client_id_issued_at"
];
async function validateRegistrationAccessToken(ctx, next) {
	const regAccessToken = await ctx.oidc.provider.RegistrationAccessToken.find(ctx.oidc.getAccessToken());
	ctx.assert(regAccessToken, new InvalidToken("registration access token not found"));
	const client = await ctx.oidc.provider.Client.find(ctx.params.clientId);
	if (client?.clientId !== regAccessToken.clientId) {
		await regAccessToken.destroy();
		throw new InvalidToken("client mismatch");
	}
	ctx.oidc.entity("Client", client);
	ctx.oidc.entity("RegistrationAccessToken", regAccessToken);
	await next();
}
const post$1 = [
	noCache,
	json,
	validateRegistrationBody,
	setWWWAuthenticate,
	async function validateInitialAccessToken(ctx, next) {
		const { oidc: { provider } } = ctx;
		const { initialAccessToken } = get$2(provider).features.registration;
		switch (initialAccessToken && typeof initialAccessToken) {
			case "boolean": {
				const iat = await provider.InitialAccessToken.find(ctx.oidc.getAccessToken());
				ctx.assert(iat, new InvalidToken("initial access token not found"));
				ctx.oidc.entity("InitialAccessToken", iat);
				break;
			}
			case "string": {
				const valid = constantEquals(initialAccessToken, ctx.oidc.getAccessToken(), 1e3);
				ctx.assert(valid, new InvalidToken("invalid initial access token value"));
				break;
			}
		}
		await next();
	},
	async function registrationResponse(ctx) {
		const { oidc: { provider } } = ctx;
		const { idFactory, secretFactory, issueRegistrationAccessToken } = get$2(provider).features.registration;
		const properties = {};
		const clientId = idFactory(ctx);
		let rat;
		if (issueRegistrationAccessToken === true || typeof issueRegistrationAccessToken === "function" && boolean(await issueRegistrationAccessToken(ctx), "features.registration.issueRegistrationAccessToken")) {
			rat = new provider.RegistrationAccessToken({ clientId });
			ctx.oidc.entity("RegistrationAccessToken", rat);
		}
		Object.assign(properties, ctx.oidc.body, {
			client_id: clientId,
			client_id_issued_at: epoch_time_default()
		});
		const { Client } = provider;
		if (Client.needsSecret(properties)) Object.assign(properties, {
			client_secret: await secretFactory(ctx),
			client_secret_expires_at: 0
		});
		else {
			delete properties.client_secret;
			delete properties.client_secret_expires_at;
		}
		if (ctx.oidc.entities.InitialAccessToken?.policies) {
			const { policies } = ctx.oidc.entities.InitialAccessToken;
			const implementations = get$2(provider).features.registration.policies;
			for (const policy of policies) await implementations[policy](ctx, properties);
			if (rat && !("policies" in rat)) rat.policies = policies;
		}
		const client = await add(provider, properties, {
			store: true,
			ctx
		});
		ctx.oidc.entity("Client", client);
		ctx.body = client.metadata();
		if (rat) Object.assign(ctx.body, {
			registration_client_uri: ctx.oidc.urlFor("client", { clientId: properties.client_id }),
			registration_access_token: await rat.save()
		});
		ctx.status = 201;
		provider.emit("registration_create.success", ctx, client);
	}
];
const get$1 = [
	noCache,
	setWWWAuthenticate,
	validateRegistrationAccessToken,
	async function clientReadResponse(ctx) {
		if (ctx.oidc.client.noManage) throw new InvalidRequest("client does not have permission to read its record", 403);
		ctx.body = ctx.oidc.client.metadata();
		Object.assign(ctx.body, {
			registration_access_token: ctx.oidc.getAccessToken(),
			registration_client_uri: ctx.oidc.urlFor("client", { clientId: ctx.params.clientId })
		});
	}
];
const put = [
	noCache,
	setWWWAuthenticate,
	validateRegistrationAccessToken,
	json,
	validateClientUpdateBody,
	async function forbiddenFields(ctx, next) {
		const hit = FORBIDDEN.find((field) => ctx.oidc.body[field] !== void 0);
		ctx.assert(!hit, new InvalidRequest(`request MUST NOT include the ${hit} field`));
		await next();
	},
	async function equalChecks(ctx, next) {
		ctx.assert(ctx.oidc.body.client_id === ctx.oidc.client.clientId, new InvalidRequest("provided client_id does not match the authenticated client's one"));
		if ("client_secret" in ctx.oidc.body) {
			const clientSecretValid = constantEquals(typeof ctx.oidc.body.client_secret === "string" ? ctx.oidc.body.client_secret : "", ctx.oidc.client.clientSecret || "", 1e3);
			ctx.assert(clientSecretValid, new InvalidRequest("provided client_secret does not match the authenticated client's one"));
		}
		await next();
	},
	async function clientUpdateResponse(ctx) {
		if (ctx.oidc.client.noManage) throw new InvalidRequest("client does not have permission to update its record", 403);
		const properties = omit_by_default({
			client_id: ctx.oidc.client.clientId,
			client_id_issued_at: ctx.oidc.client.clientIdIssuedAt,
			...ctx.oidc.body
		}, (value) => value === null || value === "");
		const { oidc: { provider } } = ctx;
		const { secretFactory } = get$2(provider).features.registration;
		if (!ctx.oidc.client.clientSecret && provider.Client.needsSecret(properties)) Object.assign(properties, {
			client_secret: await secretFactory(ctx),
			client_secret_expires_at: 0
		});
		else Object.assign(properties, {
			client_secret: ctx.oidc.client.clientSecret,
			client_secret_expires_at: ctx.oidc.client.clientSecretExpiresAt
		});
		if (ctx.oidc.entities.RegistrationAccessToken.policies) {
			const { policies } = ctx.oidc.entities.RegistrationAccessToken;
			const implementations = get$2(provider).features.registration.policies;
			for (const policy of policies) await implementations[policy](ctx, properties);
		}
		ctx.body = (await add(provider, properties, {
			store: true,
			ctx
		})).metadata();
		Object.assign(ctx.body, {
			registration_access_token: ctx.oidc.getAccessToken(),
			registration_client_uri: ctx.oidc.urlFor("client", { clientId: ctx.params.clientId })
		});
		const management = get$2(provider).features.registrationManagement;
		if (management.rotateRegistrationAccessToken === true || typeof management.rotateRegistrationAccessToken === "function" && boolean(await management.rotateRegistrationAccessToken(ctx), "features.registrationManagement.rotateRegistrationAccessToken")) {
			ctx.oidc.entity("RotatedRegistrationAccessToken", ctx.oidc.entities.RegistrationAccessToken);
			const rat = new provider.RegistrationAccessToken({
				client: ctx.oidc.client,
				policies: ctx.oidc.entities.RegistrationAccessToken.policies
			});
			await ctx.oidc.registrationAccessToken.destroy();
			ctx.oidc.entity("RegistrationAccessToken", rat);
			ctx.body.registration_access_token = await rat.save();
		}
		provider.emit("registration_update.success", ctx, ctx.oidc.client);
	}
];
const del = [
	noCache,
	setWWWAuthenticate,
	validateRegistrationAccessToken,
	async function clientRemoveResponse(ctx) {
		if (ctx.oidc.client.noManage) throw new InvalidRequest("client does not have permission to delete its record", 403);
		const { oidc: { provider } } = ctx;
		await provider.Client.adapter.destroy(ctx.oidc.client.clientId);
		await ctx.oidc.entities.RegistrationAccessToken.destroy();
		ctx.status = 204;
		provider.emit("registration_delete.success", ctx, ctx.oidc.client);
	}
];

// node_modules/oidc-provider/lib/helpers/token_find.js
function getClientCredentials(provider, token) {
	if (!get$2(provider).grantTypeHandlers.has("client_credentials")) return;
	return provider.ClientCredentials.find(token);
}
function getRefreshToken(provider, token) {
	if (!get$2(provider).grantTypeHandlers.has("refresh_token")) return;
	return provider.RefreshToken.find(token);
}
function findResult(results) {
	return results.find((found) => !!found);
}
async function findToken(provider, tokenValue, tokenTypeHint) {
	switch (tokenTypeHint) {
		case "access_token":
		case "urn:ietf:params:oauth:token-type:access_token": return Promise.all([provider.AccessToken.find(tokenValue), getClientCredentials(provider, tokenValue)]).then(findResult).then((result) => result || getRefreshToken(provider, tokenValue));
		case "refresh_token":
		case "urn:ietf:params:oauth:token-type:refresh_token": return await getRefreshToken(provider, tokenValue) || Promise.all([provider.AccessToken.find(tokenValue), getClientCredentials(provider, tokenValue)]).then(findResult);
		default: return Promise.all([
			provider.AccessToken.find(tokenValue),
			getClientCredentials(provider, tokenValue),
			getRefreshToken(provider, tokenValue)
		]).then(findResult);
	}
}

// node_modules/oidc-provider/lib/shared/reject_structured_tokens.js
async function rejectStructuredTokens(ctx, next) {
	const { params } = ctx.oidc;
	let tokenIsJWT;
	try {
		tokenIsJWT = !!decodeProtectedHeader(params.token);
	} catch {}
	if (tokenIsJWT) throw new UnsupportedTokenType(`Structured JWT Tokens cannot be ${ctx.oidc.route === "revocation" ? "revoked" : "introspected"} via the ${ctx.oidc.route}_endpoint`);
	return next();
}

// node_modules/oidc-provider/lib/actions/revocation.js
const revokeable = /* @__PURE__ */ new Set([
	"AccessToken",
	"ClientCredentials",
	"RefreshToken"
]);
var revocation_default = [
	urlencoded,
	function assembleTokenParams(ctx, next) {
		const params = /* @__PURE__ */ new Set([
			"token",
			"token_type_hint",
			...getClientAuthParams(ctx)
		]);
		return assembleParams(params, ctx, next);
	},
	...client_auth_default,
	rejectDupes.bind(void 0, {}),
	async function validateTokenPresence(ctx, next) {
		validatePresence(ctx, "token");
		await next();
	},
	rejectStructuredTokens,
	async function renderTokenResponse(ctx, next) {
		ctx.status = 200;
		ctx.body = "";
		await next();
	},
	async function revokeToken(ctx) {
		const { params, provider } = ctx.oidc;
		const { features: { revocation: { allowedPolicy } } } = get$2(provider).configuration;
		const token = await findToken(provider, params.token, params.token_type_hint);
		if (!token) return;
		if (revokeable.has(token.kind)) ctx.oidc.entity(token.kind, token);
		else return;
		if (token.kind === "RefreshToken" && ctx.oidc.client.clientId === token.clientId && ["attest_jwt_client_auth", "attest_jwt_client_auth_dpop"].includes(ctx.oidc.client.clientAuthMethod)) try {
			await checkAttestBinding(ctx, token);
		} catch {
			return;
		}
		if (!boolean(await allowedPolicy(ctx, ctx.oidc.client, token), "features.revocation.allowedPolicy")) return;
		await token.destroy();
		if (token.kind === "RefreshToken" || token.kind === "AccessToken") await revoke(ctx, token.grantId);
	}
];

// node_modules/oidc-provider/lib/actions/introspection.js
const introspectable = /* @__PURE__ */ new Set([
	"AccessToken",
	"ClientCredentials",
	"RefreshToken"
]);
const JWT = "application/token-introspection+jwt";
var introspection_default = [
	noCache,
	urlencoded,
	function assembleTokenParams(ctx, next) {
		const params = /* @__PURE__ */ new Set([
			"token",
			"token_type_hint",
			...getClientAuthParams(ctx)
		]);
		return assembleParams(params, ctx, next);
	},
	...client_auth_default,
	rejectDupes.bind(void 0, {}),
	async function validateTokenPresence(ctx, next) {
		validatePresence(ctx, "token");
		await next();
	},
	rejectStructuredTokens,
	async function jwtIntrospectionResponse(ctx, next) {
		const { provider } = ctx.oidc;
		const { features: { jwtIntrospection } } = get$2(provider).configuration;
		if (jwtIntrospection.enabled) {
			const { client } = ctx.oidc;
			const { introspectionEncryptedResponseAlg: encrypt, introspectionSignedResponseAlg: sign } = client;
			const accepts = ctx.accepts("json", JWT);
			if (encrypt && accepts !== JWT) throw new InvalidRequest(`introspection must be requested with Accept: ${JWT} for this client`);
			await next();
			if ((encrypt || sign) && accepts === JWT) {
				const token = new provider.IdToken({}, { ctx });
				token.extra = {
					token_introspection: ctx.body,
					aud: ctx.body.aud
				};
				ctx.body = await token.issue({ use: "introspection" });
				ctx.type = "application/token-introspection+jwt; charset=utf-8";
			}
		} else await next();
	},
	async function renderTokenResponse(ctx) {
		const { params, provider } = ctx.oidc;
		const { pairwiseIdentifier, features: { introspection: { allowedPolicy }, richAuthorizationRequests } } = get$2(provider).configuration;
		ctx.body = { active: false };
		const token = await findToken(provider, params.token, params.token_type_hint);
		if (!token?.isValid) return;
		if (token.grantId) {
			const grant = await provider.Grant.find(token.grantId, { ignoreExpiration: true });
			if (!grant) return;
			if (grant.isExpired) return;
			if (grant.clientId !== token.clientId) return;
			if (grant.accountId !== token.accountId) return;
			ctx.oidc.entity("Grant", grant);
		}
		if (introspectable.has(token.kind)) ctx.oidc.entity(token.kind, token);
		else return;
		if (token.kind === "RefreshToken" && ctx.oidc.client.clientId === token.clientId && ["attest_jwt_client_auth", "attest_jwt_client_auth_dpop"].includes(ctx.oidc.client.clientAuthMethod)) try {
			await checkAttestBinding(ctx, token);
		} catch {
			return;
		}
		if (!boolean(await allowedPolicy(ctx, ctx.oidc.client, token), "features.introspection.allowedPolicy")) return;
		if (token.accountId) {
			ctx.body.sub = token.accountId;
			if (token.clientId !== ctx.oidc.client.clientId) {
				const client = await provider.Client.find(token.clientId);
				if (client.subjectType === "pairwise") ctx.body.sub = await pairwiseIdentifier(ctx, ctx.body.sub, client);
			} else if (ctx.oidc.client.subjectType === "pairwise") ctx.body.sub = await pairwiseIdentifier(ctx, ctx.body.sub, ctx.oidc.client);
		}
		Object.assign(ctx.body, {
			...token.extra,
			active: true,
			client_id: token.clientId,
			exp: token.exp,
			iat: token.iat,
			sid: token.sid,
			iss: provider.issuer,
			jti: token.jti !== params.token ? token.jti : void 0,
			aud: token.aud,
			authorization_details: token.rar ? normalizeAuthorizationDetails(await richAuthorizationRequests.authorizationDetailsForIntrospection(ctx, token)) : void 0,
			scope: token.scope || void 0,
			cnf: token.isSenderConstrained() ? {} : void 0,
			token_type: token.kind !== "RefreshToken" ? token.tokenType : void 0
		});
		if (token["x5t#S256"]) ctx.body.cnf["x5t#S256"] = token["x5t#S256"];
		if (token.jkt) ctx.body.cnf.jkt = token.jkt;
	}
];

// node_modules/oidc-provider/lib/helpers/_/defaults.js
function defaults(deep, target, ...sources) {
	for (const source of sources) {
		if (!is_plain_object_default(source)) continue;
		for (const [key, value] of Object.entries(source)) {
			if (key === "__proto__" || key === "constructor") continue;
			if (typeof target[key] === "undefined" && typeof value !== "undefined") target[key] = value;
			if (deep && is_plain_object_default(target[key]) && is_plain_object_default(value)) defaults(true, target[key], value);
		}
	}
	return target;
}
var defaults_default = defaults.bind(void 0, false);
const deep = defaults.bind(void 0, true);

// node_modules/oidc-provider/lib/actions/discovery.js
function discovery(ctx) {
	const { configuration, features } = get$2(ctx.oidc.provider);
	ctx.body = {
		acr_values_supported: configuration.acrValues.size ? [...configuration.acrValues] : void 0,
		authorization_endpoint: ctx.oidc.urlFor("authorization"),
		device_authorization_endpoint: features.deviceFlow.enabled ? ctx.oidc.urlFor("device_authorization") : void 0,
		claims_parameter_supported: features.claimsParameter.enabled,
		claims_supported: [...configuration.claimsSupported],
		code_challenge_methods_supported: ["S256"],
		end_session_endpoint: features.rpInitiatedLogout.enabled ? ctx.oidc.urlFor("end_session") : void 0,
		grant_types_supported: [...configuration.grantTypes],
		issuer: ctx.oidc.issuer,
		jwks_uri: ctx.oidc.urlFor("jwks"),
		registration_endpoint: features.registration.enabled ? ctx.oidc.urlFor("registration") : void 0,
		authorization_response_iss_parameter_supported: true,
		response_modes_supported: [
			"form_post",
			"fragment",
			"query"
		],
		response_types_supported: configuration.responseTypes,
		scopes_supported: [...configuration.scopes],
		subject_types_supported: [...configuration.subjectTypes],
		token_endpoint_auth_methods_supported: [...configuration.clientAuthMethods],
		token_endpoint_auth_signing_alg_values_supported: configuration.clientAuthSigningAlgValues,
		token_endpoint: ctx.oidc.urlFor("token")
	};
	const { pushedAuthorizationRequests, requestObjects, richAuthorizationRequests } = features;
	ctx.body.id_token_signing_alg_values_supported = configuration.idTokenSigningAlgValues;
	if (features.encryption.enabled) {
		ctx.body.id_token_encryption_alg_values_supported = configuration.idTokenEncryptionAlgValues;
		ctx.body.id_token_encryption_enc_values_supported = configuration.idTokenEncryptionEncValues;
	}
	if (pushedAuthorizationRequests.enabled) {
		ctx.body.pushed_authorization_request_endpoint = ctx.oidc.urlFor("pushed_authorization_request");
		ctx.body.require_pushed_authorization_requests = pushedAuthorizationRequests.requirePushedAuthorizationRequests ? true : void 0;
	}
	ctx.body.request_uri_parameter_supported = false;
	if (requestObjects.enabled) {
		ctx.body.request_parameter_supported = true;
		ctx.body.request_object_signing_alg_values_supported = configuration.requestObjectSigningAlgValues;
		ctx.body.require_signed_request_object = requestObjects.requireSignedRequestObject ? true : void 0;
		if (features.encryption.enabled) {
			ctx.body.request_object_encryption_alg_values_supported = configuration.requestObjectEncryptionAlgValues;
			ctx.body.request_object_encryption_enc_values_supported = configuration.requestObjectEncryptionEncValues;
		}
	}
	if (features.userinfo.enabled) {
		ctx.body.userinfo_endpoint = ctx.oidc.urlFor("userinfo");
		if (features.jwtUserinfo.enabled) {
			ctx.body.userinfo_signing_alg_values_supported = configuration.userinfoSigningAlgValues;
			if (features.encryption.enabled) {
				ctx.body.userinfo_encryption_alg_values_supported = configuration.userinfoEncryptionAlgValues;
				ctx.body.userinfo_encryption_enc_values_supported = configuration.userinfoEncryptionEncValues;
			}
		}
	}
	if (features.webMessageResponseMode.enabled) ctx.body.response_modes_supported.push("web_message");
	if (features.jwtResponseModes.enabled) {
		ctx.body.response_modes_supported.push("jwt");
		ctx.body.response_modes_supported.push("query.jwt");
		ctx.body.response_modes_supported.push("fragment.jwt");
		ctx.body.response_modes_supported.push("form_post.jwt");
		if (features.webMessageResponseMode.enabled) ctx.body.response_modes_supported.push("web_message.jwt");
		ctx.body.authorization_signing_alg_values_supported = configuration.authorizationSigningAlgValues;
		if (features.encryption.enabled) {
			ctx.body.authorization_encryption_alg_values_supported = configuration.authorizationEncryptionAlgValues;
			ctx.body.authorization_encryption_enc_values_supported = configuration.authorizationEncryptionEncValues;
		}
	}
	if (features.introspection.enabled) ctx.body.introspection_endpoint = ctx.oidc.urlFor("introspection");
	if (features.jwtIntrospection.enabled) {
		ctx.body.introspection_signing_alg_values_supported = configuration.introspectionSigningAlgValues;
		if (features.encryption.enabled) {
			ctx.body.introspection_encryption_alg_values_supported = configuration.introspectionEncryptionAlgValues;
			ctx.body.introspection_encryption_enc_values_supported = configuration.introspectionEncryptionEncValues;
		}
	}
	if (features.dPoP.enabled) ctx.body.dpop_signing_alg_values_supported = configuration.dPoPSigningAlgValues;
	if (features.revocation.enabled) ctx.body.revocation_endpoint = ctx.oidc.urlFor("revocation");
	if (features.backchannelLogout.enabled) {
		ctx.body.backchannel_logout_supported = true;
		ctx.body.backchannel_logout_session_supported = true;
	}
	if (features.mTLS.enabled && features.mTLS.certificateBoundAccessTokens) ctx.body.tls_client_certificate_bound_access_tokens = true;
	if (features.ciba.enabled) {
		ctx.body.backchannel_authentication_endpoint = ctx.oidc.urlFor("backchannel_authentication");
		ctx.body.backchannel_token_delivery_modes_supported = [...features.ciba.deliveryModes];
		ctx.body.backchannel_user_code_parameter_supported = true;
		ctx.body.backchannel_authentication_request_signing_alg_values_supported = requestObjects.enabled ? configuration.requestObjectSigningAlgValues.filter((alg) => !alg.startsWith("HS")) : void 0;
	}
	if (richAuthorizationRequests.enabled) ctx.body.authorization_details_types_supported = Object.keys(richAuthorizationRequests.types);
	if (features.attestClientAuth.enabled) {
		const popMethods = ["attestation_pop_jwt"];
		if (features.dPoP.enabled) popMethods.push("dpop_combined");
		ctx.body.challenge_endpoint = ctx.oidc.urlFor("challenge");
		ctx.body.client_attestation_signing_alg_values_supported = configuration.attestSigningAlgValues;
		ctx.body.client_attestation_pop_signing_alg_values_supported = configuration.attestSigningAlgValues;
		switch (features.attestClientAuth.additionalSecuritySignal) {
			case "optional":
				ctx.body.client_attestation_pop_methods_supported = [...popMethods, "none"];
				break;
			case "required": ctx.body.client_attestation_pop_methods_supported = popMethods;
		}
	}
	if (features.clientIdMetadataDocument.enabled) ctx.body.client_id_metadata_document_supported = true;
	defaults_default(ctx.body, configuration.discovery);
}

// node_modules/oidc-provider/lib/actions/challenge.js
var challenge_default = [noCache, function challenge(ctx) {
	const { DPoPNonces, AttestChallenges, CNonceChallenges } = get$2(ctx.oidc.provider);
	ctx.body = {};
	const nextNonce = DPoPNonces?.nextChallenge();
	if (nextNonce) ctx.set("dpop-nonce", nextNonce);
	const nextCNonce = CNonceChallenges?.nextChallenge();
	if (nextCNonce) ctx.body.c_nonce = nextCNonce;
	const nextChallenge = AttestChallenges?.nextChallenge();
	if (nextChallenge) {
		ctx.set("oauth-client-attestation-challenge", nextChallenge);
		ctx.body.attestation_challenge = nextChallenge;
	}
}];

// node_modules/oidc-provider/lib/actions/end_session.js
async function clientForLogout(ctx, clientId) {
	try {
		return await ctx.oidc.provider.Client.find(clientId);
	} catch (err) {
		if (err instanceof InvalidClient) return;
		throw err;
	}
}
const init = [
	noCache,
	sessionHandler,
	urlencoded,
	assembleParams.bind(void 0, /* @__PURE__ */ new Set([
		"id_token_hint",
		"post_logout_redirect_uri",
		"state",
		"ui_locales",
		"client_id",
		"logout_hint"
	])),
	rejectDupes.bind(void 0, {}),
	async function endSessionChecks(ctx, next) {
		const { params } = ctx.oidc;
		let client;
		if (params.id_token_hint) {
			try {
				const idTokenHint = decode(params.id_token_hint);
				ctx.oidc.entity("IdTokenHint", idTokenHint);
			} catch (cause) {
				throw new InvalidRequest("could not decode id_token_hint", void 0, { cause });
			}
			const { payload: { aud: clientId } } = ctx.oidc.entities.IdTokenHint;
			if (params.client_id && params.client_id !== clientId) throw new InvalidRequest("client_id does not match the provided id_token_hint");
			client = await ctx.oidc.provider.Client.find(clientId);
			if (!client) throw new InvalidClient("unrecognized id_token_hint audience", "client not found");
			try {
				await ctx.oidc.provider.IdToken.validate(params.id_token_hint, client);
			} catch (cause) {
				if (cause instanceof OIDCProviderError) throw cause;
				throw new InvalidRequest("could not validate id_token_hint", void 0, { cause });
			}
			ctx.oidc.entity("Client", client);
		} else if (params.client_id) {
			client = await ctx.oidc.provider.Client.find(params.client_id);
			if (!client) throw new InvalidClient("client is invalid", "client not found");
			ctx.oidc.entity("Client", client);
		}
		if (client && params.post_logout_redirect_uri !== void 0) {
			if (!client.postLogoutRedirectUriAllowed(params.post_logout_redirect_uri)) throw new InvalidRequest("post_logout_redirect_uri not registered");
		} else if (params.post_logout_redirect_uri !== void 0) params.post_logout_redirect_uri = void 0;
		await next();
	},
	generateXsrf,
	async function renderLogout(ctx) {
		const { secret } = ctx.oidc.session.state;
		ctx.oidc.session.state.clientId = ctx.oidc.client ? ctx.oidc.client.clientId : void 0;
		ctx.oidc.session.state.state = ctx.oidc.params.state;
		ctx.oidc.session.state.postLogoutRedirectUri = ctx.oidc.params.post_logout_redirect_uri;
		const action = ctx.oidc.urlFor("end_session_confirm");
		if (ctx.oidc.session.accountId) {
			ctx.type = "html";
			ctx.status = 200;
			const formHtml = `<form id="op.logoutForm" method="post" action="${action}"><input type="hidden" name="xsrf" value="${secret}"/></form>`;
			await get$2(ctx.oidc.provider).features.rpInitiatedLogout.logoutSource(ctx, formHtml);
		} else formPost(ctx, action, {
			xsrf: secret,
			logout: "yes"
		});
	}
];
const confirm = [
	noCache,
	sessionHandler,
	urlencoded,
	assembleParams.bind(void 0, /* @__PURE__ */ new Set(["xsrf", "logout"])),
	rejectDupes.bind(void 0, {}),
	checkXsrf("could not find logout details"),
	async function endSession(ctx) {
		const { oidc: { session, params } } = ctx;
		const { state } = session;
		const { features: { backchannelLogout }, cookies: { long: opts } } = get$2(ctx.oidc.provider).configuration;
		if (backchannelLogout.enabled) {
			const clientIds = Object.keys(session.authorizations || {});
			const back = [];
			for (const clientId of clientIds) if (params.logout || clientId === state.clientId) {
				const client = await clientForLogout(ctx, clientId);
				if (client) {
					const sid = session.sidFor(client.clientId);
					if (client.backchannelLogoutUri) {
						const { accountId } = session;
						back.push(client.backchannelLogout(accountId, sid).then(() => {
							ctx.oidc.provider.emit("backchannel.success", ctx, client, accountId, sid);
						}, (err) => {
							ctx.oidc.provider.emit("backchannel.error", ctx, err, client, accountId, sid);
						}));
					}
				}
			}
			await Promise.all(back);
		}
		if (state.clientId) ctx.oidc.entity("Client", await clientForLogout(ctx, state.clientId));
		if (params.logout) {
			if (session.authorizations) await Promise.all(Object.entries(session.authorizations).map(async ([clientId, { grantId }]) => {
				if (grantId && !session.authorizationFor(clientId).persistsLogout) await revoke(ctx, grantId);
			}));
			await session.destroy();
			ctx.cookies.set(ctx.oidc.provider.cookieName("session"), null, opts);
		} else if (state.clientId) {
			const grantId = session.grantIdFor(state.clientId);
			if (grantId && !session.authorizationFor(state.clientId).persistsLogout) await revoke(ctx, grantId);
			session.state = void 0;
			if (session.authorizations) delete session.authorizations[state.clientId];
			session.resetIdentifier();
		}
		const usePostLogoutUri = state.postLogoutRedirectUri;
		const forwardClientId = !usePostLogoutUri && !params.logout && state.clientId;
		const uri = redirectUri(usePostLogoutUri ? state.postLogoutRedirectUri : ctx.oidc.urlFor("end_session_success"), {
			...usePostLogoutUri && state.state != null ? { state: state.state } : void 0,
			...forwardClientId ? { client_id: state.clientId } : void 0
		});
		ctx.oidc.provider.emit("end_session.success", ctx);
		ctx.status = 303;
		ctx.redirect(uri);
	}
];
const success = [
	noCache,
	assembleParams.bind(void 0, /* @__PURE__ */ new Set(["client_id"])),
	async function postLogoutSuccess(ctx) {
		if (ctx.oidc.params.client_id) {
			const client = await ctx.oidc.provider.Client.find(ctx.oidc.params.client_id);
			if (!client) throw new InvalidClient("client is invalid", "client not found");
			ctx.oidc.entity("Client", client);
		}
		await get$2(ctx.oidc.provider).features.rpInitiatedLogout.postLogoutSuccessSource(ctx);
	}
];

// node_modules/oidc-provider/lib/actions/code_verification.js
const get = [
	sessionHandler,
	assembleParams.bind(void 0, /* @__PURE__ */ new Set(["user_code"])),
	generateXsrf,
	async function renderCodeVerification(ctx) {
		const { charset, userCodeInputSource } = get$2(ctx.oidc.provider).features.deviceFlow;
		const { secret } = ctx.oidc.session.state;
		const action = ctx.oidc.urlFor("code_verification");
		if (ctx.oidc.params.user_code) formPost(ctx, action, {
			xsrf: secret,
			user_code: ctx.oidc.params.user_code
		});
		else await userCodeInputSource(ctx, input(action, secret, void 0, charset));
	}
];
const post = [
	sessionHandler,
	urlencoded,
	assembleParams.bind(void 0, /* @__PURE__ */ new Set([
		"xsrf",
		"user_code",
		"confirm",
		"abort"
	])),
	rejectDupes.bind(void 0, {}),
	checkXsrf("could not find device form details"),
	async function loadDeviceCodeByUserInput(ctx, next) {
		const { userCodeConfirmSource, mask } = get$2(ctx.oidc.provider).features.deviceFlow;
		const { user_code: userCode, confirm, abort } = ctx.oidc.params;
		if (!userCode) throw new NoCodeError();
		const normalized = normalize(userCode);
		const code = await ctx.oidc.provider.DeviceCode.findByUserCode(normalized, { ignoreExpiration: true });
		if (!code) throw new NotFoundError(userCode);
		if (code.isExpired) throw new ExpiredError(userCode);
		if (code.error || code.accountId || code.inFlight) throw new AlreadyUsedError(userCode);
		ctx.oidc.entity("DeviceCode", code);
		if (abort) {
			Object.assign(code, {
				error: "access_denied",
				errorDescription: "End-User aborted interaction"
			});
			await code.save();
			throw new AbortedError();
		}
		if (!confirm) {
			const client = await ctx.oidc.provider.Client.find(code.clientId);
			if (!client) throw new InvalidClient("client is invalid", "client not found");
			ctx.oidc.entity("Client", client);
			const action = ctx.oidc.urlFor("code_verification");
			await userCodeConfirmSource(ctx, confirm$1(action, ctx.oidc.session.state.secret, userCode), client, code.deviceInfo, denormalize(normalized, mask));
			return;
		}
		code.inFlight = true;
		await code.save();
		await next();
	},
	function cleanup(ctx, next) {
		ctx.oidc.session.state = void 0;
		return next();
	}
];

// node_modules/oidc-provider/lib/actions/openid_credential_issuer.js
function openidCredentialIssuer(ctx) {
	const { openid4vci } = get$2(ctx.oidc.provider).configuration.features;
	const { credentialConfigurationsSupported } = openid4vci;
	ctx.body = {
		credential_issuer: ctx.oidc.issuer,
		credential_endpoint: ctx.oidc.urlFor("credential"),
		nonce_endpoint: ctx.oidc.urlFor("challenge"),
		credential_configurations_supported: credentialConfigurationsSupported
	};
	defaults_default(ctx.body, openid4vci.metadata);
}

// node_modules/oidc-provider/lib/actions/credential.js
const PARAM_LIST = /* @__PURE__ */ new Set([
	"credential_identifier",
	"credential_configuration_id",
	"proof",
	"proofs"
]);
const JWK_REQUIREMENTS = /* @__PURE__ */ new Map([
	["RSA", {
		public: ["n", "e"],
		private: [
			"d",
			"p",
			"q",
			"dp",
			"dq",
			"qi",
			"oth"
		]
	}],
	["EC", {
		public: [
			"crv",
			"x",
			"y"
		],
		private: ["d"]
	}],
	["OKP", {
		public: ["crv", "x"],
		private: ["d"]
	}],
	["AKP", {
		public: ["alg", "pub"],
		private: ["priv"]
	}]
]);
function assertSingleProofType(proofs) {
	const types = Object.keys(proofs);
	if (types.length !== 1) throw new InvalidProof("exactly one proof type must be provided in proofs");
	const [type] = types;
	const values = proofs[type];
	if (!Array.isArray(values) || values.length === 0) throw new InvalidProof(`proofs.${type} must be a non-empty array`);
	return {
		type,
		values
	};
}
async function verifyKeyAttestation(attestationJwt, openid4vci, { errorPrefix, supportedAlgs, requiredClaims, keyAttestationsRequired }, ctx) {
	let header;
	let claims;
	try {
		header = decodeProtectedHeader(attestationJwt);
		claims = decodeJwt(attestationJwt);
	} catch (cause) {
		throw new InvalidProof(`${errorPrefix} must be a valid JWT`, { cause });
	}
	if (claims.iss !== void 0 && (typeof claims.iss !== "string" || !claims.iss.length)) throw new InvalidProof(`${errorPrefix} iss must be a non-empty string`);
	let key;
	try {
		key = await openid4vci.getKeyAttestationSignaturePublicKey(ctx, claims.iss, header, ctx.oidc.client);
	} catch (cause) {
		throw new InvalidProof(`${errorPrefix} signature verification failed`, { cause });
	}
	let payload;
	try {
		({payload} = await jwtVerify(attestationJwt, key, {
			algorithms: supportedAlgs,
			typ: "key-attestation+jwt",
			requiredClaims
		}));
	} catch (cause) {
		if (cause?.code === "ERR_JWT_CLAIM_VALIDATION_FAILED" && cause?.claim === "typ") throw new InvalidProof(`${errorPrefix} typ must be key-attestation+jwt`, { cause });
		if (cause?.code === "ERR_JWT_CLAIM_VALIDATION_FAILED" && cause?.claim === "iat") throw new InvalidProof(`${errorPrefix} iat must be present`, { cause });
		if (cause?.code === "ERR_JWT_CLAIM_VALIDATION_FAILED" && cause?.claim === "exp") throw new InvalidProof(`${errorPrefix} exp must be present`, { cause });
		if (cause?.code === "ERR_JWT_CLAIM_VALIDATION_FAILED" && cause?.claim === "attested_keys") throw new InvalidProof(`${errorPrefix} attested_keys must be present`, { cause });
		if (cause?.code === "ERR_JWT_EXPIRED") throw new InvalidProof(`${errorPrefix} has expired`, { cause });
		if (supportedAlgs && cause?.code === "ERR_JOSE_ALG_NOT_ALLOWED") throw new InvalidProof(`${errorPrefix} alg is not supported for this credential configuration`, { cause });
		throw new InvalidProof(`${errorPrefix} signature verification failed`, { cause });
	}
	if (!Array.isArray(payload.attested_keys) || payload.attested_keys.length === 0) throw new InvalidProof(`${errorPrefix} attested_keys must be a non-empty array`);
	for (const jwk of payload.attested_keys) {
		if (jwk === null || typeof jwk !== "object" || Array.isArray(jwk)) throw new InvalidProof(`${errorPrefix} attested_keys entries must be JWK objects`);
		try {
			const requirements = JWK_REQUIREMENTS.get(jwk.kty);
			if (!requirements) {
				if (typeof jwk.kty === "string" && jwk.kty && jwk.kty !== "oct") continue;
				throw new TypeError("JWK does not identify a public asymmetric key type");
			}
			if (requirements.private.some((member) => Object.hasOwn(jwk, member))) throw new TypeError("JWK is not a public asymmetric key");
			if (!requirements.public.every((member) => typeof jwk[member] === "string" && jwk[member].length !== 0)) throw new TypeError("JWK public key members must be non-empty strings");
		} catch (cause) {
			throw new InvalidProof(`${errorPrefix} attested_keys entries must be public asymmetric JWKs`, { cause });
		}
	}
	if (payload.key_storage !== void 0) {
		if (!Array.isArray(payload.key_storage) || payload.key_storage.length === 0 || !payload.key_storage.every((v) => typeof v === "string" && v.length > 0)) throw new InvalidProof(`${errorPrefix} key_storage must be a non-empty array of non-empty strings`);
	}
	if (payload.user_authentication !== void 0) {
		if (!Array.isArray(payload.user_authentication) || payload.user_authentication.length === 0 || !payload.user_authentication.every((v) => typeof v === "string" && v.length > 0)) throw new InvalidProof(`${errorPrefix} user_authentication must be a non-empty array of non-empty strings`);
	}
	if (payload.certification !== void 0) {
		if (typeof payload.certification !== "string" || payload.certification.length === 0) throw new InvalidProof(`${errorPrefix} certification must be a non-empty string`);
		if (!URL.canParse(payload.certification)) throw new InvalidProof(`${errorPrefix} certification must be a URL`);
	}
	if (keyAttestationsRequired) {
		if (Array.isArray(keyAttestationsRequired.key_storage)) {
			if (!Array.isArray(payload.key_storage) || !payload.key_storage.some((v) => keyAttestationsRequired.key_storage.includes(v))) throw new InvalidProof(`${errorPrefix} key_storage does not meet the credential configuration requirements`);
		}
		if (Array.isArray(keyAttestationsRequired.user_authentication)) {
			if (!Array.isArray(payload.user_authentication) || !payload.user_authentication.some((v) => keyAttestationsRequired.user_authentication.includes(v))) throw new InvalidProof(`${errorPrefix} user_authentication does not meet the credential configuration requirements`);
		}
	}
	return {
		jwt: attestationJwt,
		attestedKeys: payload.attested_keys,
		payload
	};
}
function keyAttestationParams(proofType, credentialConfiguration) {
	const config = credentialConfiguration.proof_types_supported?.[proofType];
	const configuredAlgs = config?.proof_signing_alg_values_supported;
	return {
		supportedAlgs: Array.isArray(configuredAlgs) && configuredAlgs.length ? [...configuredAlgs] : void 0,
		keyAttestationsRequired: config?.key_attestations_required
	};
}
async function verifyKeyAttestationHeader(attestationJwt, proofJwk, openid4vci, credentialConfiguration, ctx) {
	const result = await verifyKeyAttestation(attestationJwt, openid4vci, {
		errorPrefix: "jwt proof key_attestation",
		requiredClaims: [
			"iat",
			"exp",
			"attested_keys"
		],
		...keyAttestationParams("jwt", credentialConfiguration)
	}, ctx);
	const proofThumbprint = await calculateJwkThumbprint(proofJwk);
	if (!(await Promise.all(result.attestedKeys.filter((jwk) => JWK_REQUIREMENTS.has(jwk.kty)).map((jwk) => calculateJwkThumbprint(jwk)))).includes(proofThumbprint)) throw new InvalidProof("jwt proof jwk is not among the attested keys in key_attestation");
	return result;
}
async function embeddedProofJwk(protectedHeader, token) {
	if ([
		"kid",
		"jwk",
		"x5c"
	].filter((parameter) => Object.hasOwn(protectedHeader, parameter)).length !== 1) throw new InvalidProof("jwt proof must use exactly one of kid, jwk, or x5c");
	return EmbeddedJWK(protectedHeader, token);
}
async function verifyJwtProof(proof, issuer, clientId, supportedAlgs, cNonceChallenges) {
	let payload;
	try {
		({payload} = await jwtVerify(proof, embeddedProofJwk, {
			algorithms: supportedAlgs ? [...supportedAlgs] : void 0,
			audience: issuer,
			typ: "openid4vci-proof+jwt",
			requiredClaims: ["iat", "nonce"]
		}));
	} catch (cause) {
		if (cause?.code === "ERR_JWS_INVALID") throw new InvalidProof("jwt proof must be a compact JWS", { cause });
		if (cause?.code === "ERR_JWT_CLAIM_VALIDATION_FAILED" && cause?.claim === "typ") throw new InvalidProof("jwt proof typ must be openid4vci-proof+jwt", { cause });
		if (cause?.code === "ERR_JWT_CLAIM_VALIDATION_FAILED" && cause?.claim === "aud") throw new InvalidProof("jwt proof aud must equal credential issuer identifier", { cause });
		if (cause?.code === "ERR_JWT_CLAIM_VALIDATION_FAILED" && cause?.claim === "iat") throw new InvalidProof("jwt proof iat must be present", { cause });
		if (cause?.code === "ERR_JWT_CLAIM_VALIDATION_FAILED" && cause?.claim === "nonce") throw new InvalidProof("jwt proof nonce must be present", { cause });
		if (supportedAlgs && cause?.code === "ERR_JOSE_ALG_NOT_ALLOWED") throw new InvalidProof("jwt proof alg is not supported for this credential configuration", { cause });
		if (cause instanceof InvalidProof) throw cause;
		throw new InvalidProof("jwt proof signature verification failed", { cause });
	}
	if (typeof payload.aud !== "string") throw new InvalidProof("jwt proof aud must be a string");
	if (payload.iss !== void 0 && payload.iss !== clientId) throw new InvalidProof("jwt proof iss must equal client_id");
	if (typeof payload.nonce !== "string" || !payload.nonce.length) throw new InvalidProof("jwt proof nonce must be a non-empty string");
	if (!cNonceChallenges.checkChallenge(payload.nonce)) throw new InvalidNonce("jwt proof nonce is invalid, retrieve a new c_nonce from the nonce endpoint");
	return decodeProtectedHeader(proof);
}
async function verifyAttestationProof(attestationJwt, openid4vci, credentialConfiguration, cNonceChallenges, ctx) {
	const result = await verifyKeyAttestation(attestationJwt, openid4vci, {
		errorPrefix: "attestation proof",
		requiredClaims: ["iat", "attested_keys"],
		...keyAttestationParams("attestation", credentialConfiguration)
	}, ctx);
	if (typeof result.payload.nonce !== "string" || !result.payload.nonce.length) throw new InvalidProof("attestation proof nonce must be present");
	if (!cNonceChallenges.checkChallenge(result.payload.nonce)) throw new InvalidNonce("attestation proof nonce is invalid, retrieve a new c_nonce from the nonce endpoint");
	return result;
}
function normalizeProofs(body) {
	const hasProof = body.proof !== void 0;
	const hasProofs = body.proofs !== void 0;
	if (hasProof && hasProofs) throw new InvalidCredentialRequest("proof and proofs cannot be used together");
	if (!hasProof) return body.proofs;
	const { proof } = body;
	if (proof === null || typeof proof !== "object" || Array.isArray(proof)) throw new InvalidProof("proof must be a JSON object");
	if (typeof proof.proof_type !== "string" || !proof.proof_type.length) throw new InvalidProof("proof.proof_type must be a non-empty string");
	if (proof.proof_type === "jwt") {
		if (typeof proof.jwt !== "string" || !proof.jwt.length) throw new InvalidProof("proof.jwt must be a non-empty string when proof_type is jwt");
		return { jwt: [proof.jwt] };
	}
	if (proof.proof_type === "attestation") {
		if (typeof proof.attestation !== "string" || !proof.attestation.length) throw new InvalidProof("proof.attestation must be a non-empty string when proof_type is attestation");
		return { attestation: [proof.attestation] };
	}
	throw new InvalidProof(`proof type '${proof.proof_type}' is not supported by this deployment`);
}
function assertProofs(proofs, credentialConfiguration) {
	if (credentialConfiguration.proof_types_supported !== void 0 && proofs === void 0) throw new InvalidProof("proofs are required for this credential configuration");
	if (proofs !== void 0 && (proofs === null || typeof proofs !== "object" || Array.isArray(proofs))) throw new InvalidProof("proofs must be a JSON object");
}
function batchSize(openid4vci) {
	const configured = openid4vci?.metadata?.batch_credential_issuance?.batch_size;
	if (!Number.isSafeInteger(configured) || configured < 2) return;
	return configured;
}
const validateAccessToken = getValidateAccessToken();
const validateBody = getValidateJsonBody(InvalidCredentialRequest, "credential request body must be a JSON object");
var credential_default = [
	noCache,
	getSetWWWAuthenticateHeader({ includeScope: false }),
	json,
	validateBody,
	assembleParams.bind(void 0, PARAM_LIST),
	rejectDupes.bind(void 0, {}),
	validateAccessToken,
	async function validateAudience(ctx, next) {
		const { openid4vci } = get$2(ctx.oidc.provider).configuration.features;
		const expected = await openid4vci.credentialEndpointExpectedAudience(ctx);
		if (typeof expected !== "string" || !expected) throw new Error("features.openid4vci.credentialEndpointExpectedAudience must return a string");
		if (ctx.oidc.accessToken.aud !== expected) throw new InvalidToken("token audience prevents accessing the credential endpoint");
		return next();
	},
	loadAccessTokenClient,
	loadAccessTokenAccount,
	loadAccessTokenGrant,
	async function issueCredential(ctx) {
		const { openid4vci } = get$2(ctx.oidc.provider).configuration.features;
		const { CNonceChallenges } = get$2(ctx.oidc.provider);
		const { body } = ctx.oidc;
		const hasCredentialIdentifier = body.credential_identifier !== void 0;
		if (hasCredentialIdentifier === (body.credential_configuration_id !== void 0)) throw new InvalidCredentialRequest("exactly one of credential_identifier or credential_configuration_id must be provided");
		const { credentialConfigurationsSupported } = openid4vci;
		let credentialConfigurationId;
		let credentialConfiguration;
		let credentialIdentifier;
		if (hasCredentialIdentifier) {
			credentialIdentifier = body.credential_identifier;
			if (typeof credentialIdentifier !== "string" || !credentialIdentifier.length) throw new InvalidCredentialRequest("credential_identifier must be a non-empty string");
			let matchingDetail;
			if (Array.isArray(ctx.oidc.accessToken.rar)) matchingDetail = ctx.oidc.accessToken.rar.find((detail) => detail?.type === "openid_credential" && Array.isArray(detail?.credential_identifiers) && detail.credential_identifiers.includes(credentialIdentifier));
			if (!matchingDetail) throw new UnknownCredentialIdentifier("credential_identifier not found in the access token authorization details");
			credentialConfigurationId = matchingDetail.credential_configuration_id;
			if (!Object.hasOwn(credentialConfigurationsSupported, credentialConfigurationId)) throw new UnknownCredentialConfiguration("credential configuration referenced by credential_identifier is unknown");
			credentialConfiguration = credentialConfigurationsSupported[credentialConfigurationId];
		} else {
			credentialConfigurationId = body.credential_configuration_id;
			if (typeof credentialConfigurationId !== "string" || !credentialConfigurationId.length) throw new InvalidCredentialRequest("credential_configuration_id must be a non-empty string");
			if (!Object.hasOwn(credentialConfigurationsSupported, credentialConfigurationId)) throw new UnknownCredentialConfiguration("requested credential_configuration_id is unknown");
			credentialConfiguration = credentialConfigurationsSupported[credentialConfigurationId];
		}
		if (!boolean(await openid4vci.credentialConfigurationPolicy(ctx, {
			credentialConfigurationId,
			credentialConfiguration,
			credentialIdentifier,
			client: ctx.oidc.client,
			account: ctx.oidc.account,
			grant: ctx.oidc.grant,
			accessToken: ctx.oidc.accessToken
		}), "features.openid4vci.credentialConfigurationPolicy")) throw new CredentialRequestDenied("access token does not authorize issuance for requested credential configuration");
		const proofs = normalizeProofs(body);
		assertProofs(proofs, credentialConfiguration);
		if (!hasCredentialIdentifier) {
			if (credentialConfiguration.scope && !ctx.oidc.accessToken.scopes.has(credentialConfiguration.scope)) throw new CredentialRequestDenied("access token does not authorize issuance for requested credential configuration");
			if (!credentialConfiguration.scope) {
				if (!(Array.isArray(ctx.oidc.accessToken.rar) && ctx.oidc.accessToken.rar.some((detail) => detail?.type === "openid_credential" && detail?.credential_configuration_id === credentialConfigurationId))) throw new CredentialRequestDenied("access token does not authorize issuance for requested credential configuration");
			}
		}
		if (proofs !== void 0) {
			const { type, values } = assertSingleProofType(proofs);
			if (credentialConfiguration.proof_types_supported !== void 0 && !Object.hasOwn(credentialConfiguration.proof_types_supported, type)) throw new InvalidProof(`proof type '${type}' is not supported for this credential configuration`);
			if (type === "jwt") {
				const maxBatchSize = batchSize(openid4vci);
				if (values.length > 1) {
					if (!maxBatchSize) throw new InvalidProof("multiple jwt proofs are not supported when batch issuance is disabled");
					if (values.length > maxBatchSize) throw new InvalidProof(`jwt proof batch exceeds configured batch_size (${maxBatchSize})`);
				}
				const configuredAlgs = credentialConfiguration.proof_types_supported?.jwt?.proof_signing_alg_values_supported;
				const supportedAlgs = Array.isArray(configuredAlgs) && configuredAlgs.length ? new Set(configuredAlgs) : void 0;
				let keyAttestationResult;
				for (const proof of values) {
					const header = await verifyJwtProof(proof, ctx.oidc.issuer, ctx.oidc.client.clientId, supportedAlgs, CNonceChallenges);
					if (header.key_attestation !== void 0) {
						if (typeof header.key_attestation !== "string" || !header.key_attestation.length) throw new InvalidProof("jwt proof key_attestation header must be a non-empty string");
						const result = await verifyKeyAttestationHeader(header.key_attestation, header.jwk, openid4vci, credentialConfiguration, ctx);
						if (keyAttestationResult) {
							if (keyAttestationResult.jwt !== result.jwt) throw new InvalidProof("all jwt proofs in a batch must reference the same key_attestation");
						} else keyAttestationResult = result;
					}
				}
				if (credentialConfiguration.proof_types_supported?.jwt?.key_attestations_required && !keyAttestationResult) throw new InvalidProof("jwt proof must include a key_attestation header when key attestations are required");
				if (keyAttestationResult) proofs.key_attestation = keyAttestationResult;
			} else if (type === "attestation") {
				if (values.length !== 1) throw new InvalidProof("proofs.attestation must contain exactly one key attestation JWT");
				const [attestationJwt] = values;
				if (typeof attestationJwt !== "string" || !attestationJwt.length) throw new InvalidProof("attestation proof must be a non-empty string");
				proofs.attestation = await verifyAttestationProof(attestationJwt, openid4vci, credentialConfiguration, CNonceChallenges, ctx);
			} else throw new InvalidProof(`proof type '${type}' is not supported by this deployment`);
		}
		const out = await openid4vci.issueCredential(ctx, {
			credentialConfigurationId,
			credentialConfiguration,
			credentialIdentifier,
			body,
			proofs,
			client: ctx.oidc.client,
			account: ctx.oidc.account,
			grant: ctx.oidc.grant,
			accessToken: ctx.oidc.accessToken
		});
		if (!out || typeof out !== "object" || Array.isArray(out)) throw new Error("features.openid4vci.issueCredential must return an object");
		if (!Array.isArray(out.credentials) || !out.credentials.length) throw new Error("features.openid4vci.issueCredential must return a non-empty credentials array");
		ctx.body = {
			credentials: out.credentials,
			notification_id: out.notification_id
		};
	}
];

// node_modules/oidc-provider/lib/helpers/als.js
var als_default = new AsyncLocalStorage();

// node_modules/oidc-provider/lib/helpers/sender_constraints.js
function checkMtlsCert(provider, ctx, ErrorClass = InvalidGrant$1) {
	assertProviderContext(provider, ctx);
	if (ctx.oidc.client.tlsClientCertificateBoundAccessTokens) {
		const certificate = get$2(provider).configuration.features.mTLS.getCertificate(ctx);
		if (!certificate) throw new ErrorClass("mutual TLS client certificate not provided");
		return certificate;
	}
}
function checkDpopRequired(provider, ctx, dPoP, ErrorClass = InvalidGrant$1) {
	assertProviderContext(provider, ctx);
	if (!dPoP && ctx.oidc.client.dpopBoundAccessTokens) throw new ErrorClass("DPoP proof JWT not provided");
}

// node_modules/oidc-provider/lib/helpers/grant_authorization.js
function validateClientScope(provider, ctx, scopes = ctx.oidc.requestParamScopes) {
	assertProviderContext(provider, ctx);
	if (typeof scopes === "string") scopes = new Set(scopes.split(" "));
	else if (!(scopes instanceof Set)) scopes = new Set(scopes);
	const { client } = ctx.oidc;
	if (client.scope) {
		const allowList = new Set(client.scope.split(" "));
		const statics = get$2(provider).configuration.scopes;
		for (const scope of scopes) if (statics.has(scope) && !allowList.has(scope)) throw new InvalidScope("requested scope is not allowed", scope);
	}
	return scopes;
}
function resolveRequestedResources(provider, ctx) {
	return resolveRequestedResources$1(provider, ctx);
}
async function resolveAndApplyResource(provider, ctx, source, token, grant, scope) {
	assertProviderContext(provider, ctx);
	const { userinfo, resourceIndicators } = get$2(provider).configuration.features;
	const resource = await resolve_resource_default(ctx, source, {
		userinfo,
		resourceIndicators
	}, scope);
	if (resource) {
		const resourceServerInfo = resourceServer(await resourceIndicators.getResourceServerInfo(ctx, resource, ctx.oidc.client));
		token.resourceServer = new provider.ResourceServer(resource, resourceServerInfo);
		token.scope = grant.getResourceScopeFiltered(resource, [...scope || source.scopes].filter(Set.prototype.has.bind(token.resourceServer.scopes)));
	} else {
		token.claims = source.claims;
		token.scope = grant.getOIDCScopeFiltered(scope || source.scopes);
	}
	return resource;
}
async function applyAuthorizationDetails(provider, ctx, token, source) {
	assertProviderContext(provider, ctx);
	if (ctx.oidc.params.authorization_details !== void 0 || source?.rar !== void 0) {
		const { richAuthorizationRequests } = get$2(provider).configuration.features;
		token.rar = normalizeAuthorizationDetails(await richAuthorizationRequests.authorizationDetailsForAccessToken(ctx, token, source, ctx.oidc.params.grant_type));
	}
}

// node_modules/oidc-provider/lib/helpers/grant_response.js
const reserved = /* @__PURE__ */ new Set([
	"access_token",
	"authorization_details",
	"expires_in",
	"id_token",
	"issued_token_type",
	"refresh_token",
	"scope",
	"token_type"
]);
function buildTokenResponse(provider, { accessToken, authorizationDetails, expiresIn, idToken, issuedTokenType, parameters = {}, refreshToken, scope, tokenType } = {}) {
	if (!provider || typeof provider !== "object") throw new TypeError("provider must be an oidc-provider instance");
	if (typeof accessToken !== "string" || !accessToken) throw new TypeError("accessToken must be a non-empty string");
	if (typeof tokenType !== "string" || !tokenType) throw new TypeError("tokenType must be a non-empty string");
	if (!is_plain_object_default(parameters)) throw new TypeError("parameters must be a plain object");
	for (const name of Object.keys(parameters)) if (reserved.has(name)) throw new TypeError(`parameters must not contain reserved member ${name}`);
	return Object.fromEntries(Object.entries({
		...parameters,
		access_token: accessToken,
		expires_in: expiresIn,
		id_token: idToken,
		issued_token_type: issuedTokenType,
		refresh_token: refreshToken,
		scope,
		token_type: tokenType,
		authorization_details: authorizationDetails
	}).filter(([, value]) => value !== void 0));
}

// node_modules/oidc-provider/lib/helpers/grants.js
var grants_exports = /* @__PURE__ */ __exportAll({
	applyAuthorizationDetails: () => applyAuthorizationDetails,
	applyRefreshTokenBindings: () => applyRefreshTokenBindings,
	buildTokenResponse: () => buildTokenResponse,
	checkDpopReplay: () => checkDpopReplay,
	checkDpopRequired: () => checkDpopRequired,
	checkMtlsCert: () => checkMtlsCert,
	consumeGrantSource: () => consumeGrantSource,
	findAccount: () => findAccount,
	findGrantSource: () => findGrantSource,
	resolveAndApplyResource: () => resolveAndApplyResource,
	resolveRequestedResources: () => resolveRequestedResources,
	shouldIssueRefreshToken: () => shouldIssueRefreshToken,
	validateClientScope: () => validateClientScope,
	validateDpop: () => validateDpop,
	validateGrant: () => validateGrant
});

// node_modules/oidc-provider/lib/helpers/initialize_app.js
const maxAge = 3600;
function exposeHeaders({ dpop = true, attest = true, wwwAuth = true } = {}) {
	return (ctx) => {
		const { features } = get$2(ctx.oidc.provider);
		return [
			(dpop || features.attestClientAuth.enabled) && features.dPoP.enabled && features.dPoP.nonceSecret ? "DPoP-Nonce" : void 0,
			attest && features.attestClientAuth.enabled ? "OAuth-Client-Attestation-Challenge" : void 0,
			wwwAuth ? "WWW-Authenticate" : void 0
		].filter(Boolean);
	};
}
const CORS = {
	open: cors_default({
		allowMethods: "GET",
		maxAge
	}),
	challenge: cors_default({
		allowMethods: "POST",
		maxAge,
		exposeHeaders: exposeHeaders({ wwwAuth: false })
	}),
	userinfo: cors_default({
		allowMethods: "GET,POST",
		clientBased: true,
		maxAge,
		exposeHeaders: exposeHeaders({ attest: false })
	}),
	client: cors_default({
		allowMethods: "POST",
		clientBased: true,
		maxAge,
		exposeHeaders: exposeHeaders({ dpop: false })
	}),
	clientWithDPoP: cors_default({
		allowMethods: "POST",
		clientBased: true,
		maxAge,
		exposeHeaders: exposeHeaders()
	}),
	credential: cors_default({
		allowMethods: "POST",
		clientBased: true,
		maxAge,
		exposeHeaders: exposeHeaders({ attest: false })
	}),
	respond: () => {}
};
async function ensureSessionSave(ctx, next) {
	try {
		await next();
	} finally {
		if (ctx.oidc.session?.touched && !ctx.oidc.session.destroyed) await ctx.oidc.session.persist();
	}
}
function initializeApp() {
	const { configuration, features } = get$2(this);
	const router = new Router();
	get$2(this).router = router;
	const ensureOIDC = async (ctx, next) => {
		let oidcCtx;
		Object.defineProperty(ctx, "oidc", { get: () => {
			oidcCtx ||= new this.OIDCContext(ctx);
			return oidcCtx;
		} });
		return als_default.run(ctx, () => next());
	};
	const routeMap = /* @__PURE__ */ new Map();
	function normalizeRoute(name, route, ...stack) {
		strict(typeof name === "string" && name.charAt(0) !== "/", `invalid route name ${name}`);
		strict(typeof route === "string" && route.charAt(0) === "/", `invalid route ${route}`);
		route = route.replace(/\/\//g, "/");
		stack.forEach((middleware) => {
			strict.equal(typeof middleware, "function", "invalid middleware");
		});
		routeMap.set(name, route);
		return route;
	}
	const get$3 = (name, route, ...stack) => {
		route = normalizeRoute(name, route, ...stack);
		router.get(name, route, ensureOIDC, ensureSessionSave, ...stack);
	};
	const post$2 = (name, route, ...stack) => {
		route = normalizeRoute(name, route, ...stack);
		router.post(name, route, ensureOIDC, ensureSessionSave, ...stack);
	};
	const del$1 = (name, route, ...stack) => {
		route = normalizeRoute(name, route, ...stack);
		router.delete(name, route, ensureOIDC, ...stack);
	};
	const put$1 = (name, route, ...stack) => {
		route = normalizeRoute(name, route, ...stack);
		router.put(name, route, ensureOIDC, ...stack);
	};
	const options = (name, route, ...stack) => {
		route = normalizeRoute(name, route, ...stack);
		router.options(name, route, ensureOIDC, ...stack);
	};
	const { routes, enableHttpPostMethods } = configuration;
	const boundGrantHelpers = Object.fromEntries(Object.entries(grants_exports).map(([name, helper]) => [name, helper.bind(void 0, this)]));
	for (const { handler, parameters, grantType } of Object.values(grants_exports$1)) {
		const { grantTypeHandlers } = get$2(this);
		if (configuration.grantTypes.has(grantType) && !grantTypeHandlers.has(grantType)) {
			const grantParameters = new Set(parameters);
			let dupes;
			if (features.resourceIndicators.enabled) {
				grantParameters.add("resource");
				dupes = /* @__PURE__ */ new Set(["resource"]);
			}
			if (features.richAuthorizationRequests.enabled) grantParameters.add("authorization_details");
			this.registerGrantType(grantType, handler.bind(void 0, this, boundGrantHelpers), grantParameters, dupes);
		}
	}
	this.registerResponseMode("query", query_default);
	this.registerResponseMode("fragment", fragment_default);
	this.registerResponseMode("form_post", formPost);
	if (features.webMessageResponseMode.enabled) this.registerResponseMode("web_message", webMessage);
	if (features.jwtResponseModes.enabled) {
		this.registerResponseMode("jwt", jwtResponseModes);
		[
			"query",
			"fragment",
			"form_post"
		].forEach((mode) => {
			this.registerResponseMode(`${mode}.jwt`, jwtResponseModes);
		});
		if (features.webMessageResponseMode.enabled) this.registerResponseMode("web_message.jwt", jwtResponseModes);
	}
	const authorization = authorizationAction("authorization");
	get$3("authorization", routes.authorization, authorizationErrorHandler, ...authorization);
	if (enableHttpPostMethods) post$2("authorization", routes.authorization, authorizationErrorHandler, ...authorization);
	const resume = authorizationAction("resume");
	get$3("resume", `${routes.authorization}/:uid`, authorizationErrorHandler, ...resume);
	if (features.userinfo.enabled) {
		get$3("userinfo", routes.userinfo, CORS.userinfo, getErrorHandler("userinfo.error"), ...userinfo_default);
		post$2("userinfo", routes.userinfo, CORS.userinfo, getErrorHandler("userinfo.error"), ...userinfo_default);
		options("cors.userinfo", routes.userinfo, CORS.userinfo, CORS.respond);
	}
	post$2("token", routes.token, getErrorHandler("grant.error"), CORS.clientWithDPoP, ...token_default);
	options("cors.token", routes.token, CORS.clientWithDPoP, CORS.respond);
	get$3("jwks", routes.jwks, CORS.open, getErrorHandler("jwks.error"), renderJWKS);
	options("cors.jwks", routes.jwks, CORS.open, CORS.respond);
	const oauthDiscoveryRoute = "/.well-known/oauth-authorization-server";
	get$3("discovery", oauthDiscoveryRoute, CORS.open, getErrorHandler("discovery.error"), discovery);
	options("cors.discovery", oauthDiscoveryRoute, CORS.open, CORS.respond);
	const openidDiscoveryRoute = "/.well-known/openid-configuration";
	get$3("discovery", openidDiscoveryRoute, CORS.open, getErrorHandler("discovery.error"), discovery);
	options("cors.discovery", openidDiscoveryRoute, CORS.open, CORS.respond);
	if (features.openid4vci.enabled) {
		const credentialIssuerRoute = "/.well-known/openid-credential-issuer";
		get$3("openid_credential_issuer", credentialIssuerRoute, CORS.open, getErrorHandler("openid_credential_issuer.error"), openidCredentialIssuer);
		options("cors.openid_credential_issuer", credentialIssuerRoute, CORS.open, CORS.respond);
		post$2("credential", routes.credential, getErrorHandler("credential.error"), CORS.credential, ...credential_default);
		options("cors.credential", routes.credential, CORS.credential, CORS.respond);
	}
	if (features.attestClientAuth.enabled || features.openid4vci.enabled) {
		post$2("challenge", routes.challenge, getErrorHandler("challenge.error"), CORS.challenge, ...challenge_default);
		options("cors.challenge", routes.challenge, CORS.challenge, CORS.respond);
	}
	if (features.registration.enabled) {
		const clientRoute = `${routes.registration}/:clientId`;
		post$2("registration", routes.registration, getErrorHandler("registration_create.error"), ...post$1);
		get$3("client", clientRoute, getErrorHandler("registration_read.error"), ...get$1);
		if (features.registrationManagement.enabled) {
			put$1("client_update", clientRoute, getErrorHandler("registration_update.error"), ...put);
			del$1("client_delete", clientRoute, getErrorHandler("registration_delete.error"), ...del);
		}
	}
	if (features.revocation.enabled) {
		post$2("revocation", routes.revocation, getErrorHandler("revocation.error"), CORS.client, ...revocation_default);
		options("cors.revocation", routes.revocation, CORS.client, CORS.respond);
	}
	if (features.introspection.enabled) {
		post$2("introspection", routes.introspection, getErrorHandler("introspection.error"), CORS.client, ...introspection_default);
		options("cors.introspection", routes.introspection, CORS.client, CORS.respond);
	}
	post$2("end_session_confirm", `${routes.end_session}/confirm`, getErrorHandler("end_session_confirm.error"), ...confirm);
	if (features.rpInitiatedLogout.enabled) {
		if (enableHttpPostMethods) post$2("end_session", routes.end_session, getErrorHandler("end_session.error"), ...init);
		get$3("end_session", routes.end_session, getErrorHandler("end_session.error"), ...init);
		get$3("end_session_success", `${routes.end_session}/success`, getErrorHandler("end_session_success.error"), ...success);
	}
	if (features.deviceFlow.enabled) {
		const deviceAuthorization = authorizationAction("device_authorization");
		post$2("device_authorization", routes.device_authorization, getErrorHandler("device_authorization.error"), CORS.client, ...deviceAuthorization);
		options("cors.device_authorization", routes.device_authorization, CORS.client, CORS.respond);
		const postCodeVerification = authorizationAction("code_verification");
		get$3("code_verification", routes.code_verification, getErrorHandler("code_verification.error"), ...get);
		post$2("code_verification", routes.code_verification, getErrorHandler("code_verification.error"), ...post, ...postCodeVerification);
		const deviceResume = authorizationAction("device_resume");
		get$3("device_resume", `${routes.code_verification}/:uid`, getErrorHandler("device_resume.error"), ...deviceResume);
	}
	if (features.pushedAuthorizationRequests.enabled) {
		const pushedAuthorizationRequests = authorizationAction("pushed_authorization_request");
		post$2("pushed_authorization_request", routes.pushed_authorization_request, getErrorHandler("pushed_authorization_request.error"), CORS.clientWithDPoP, ...pushedAuthorizationRequests);
		options("cors.pushed_authorization_request", routes.pushed_authorization_request, CORS.clientWithDPoP, CORS.respond);
	}
	if (features.ciba.enabled) {
		const ciba = authorizationAction("backchannel_authentication");
		post$2("backchannel_authentication", routes.backchannel_authentication, getErrorHandler("backchannel_authentication.error"), ...ciba);
	}
	if (features.devInteractions.enabled) {
		initialize(this);
		get$3("interaction", "/interaction/:uid", getErrorHandler(), ...render);
		post$2("submit", "/interaction/:uid", getErrorHandler(), ...submit);
		get$3("abort", "/interaction/:uid/abort", getErrorHandler(), ...abort);
	}
	return router.routes();
}

// node_modules/oidc-provider/lib/helpers/initialize_clients.js
function initializeClients(clients = []) {
	let staticClients;
	for (const metadata of clients) {
		if (!is_plain_object_default(metadata) || !metadata.client_id) throw new InvalidClientMetadata("client_id is mandatory property for statically configured clients");
		if (staticClients?.has(metadata.client_id)) throw new InvalidClientMetadata("client_id must be unique amongst statically configured clients");
		staticClients ||= /* @__PURE__ */ new Map();
		staticClients.set(metadata.client_id, structuredClone(metadata));
	}
	if (staticClients) get$2(this).staticClients = staticClients;
}

// node_modules/oidc-provider/lib/helpers/resource_server.js
var ResourceServer = class {
	constructor(identifier, data) {
		this._identifier = identifier;
		this.audience = data.audience;
		this.scope = data.scope;
		this.accessTokenTTL = data.accessTokenTTL;
		this.accessTokenFormat = data.accessTokenFormat;
		this.jwt = data.jwt;
	}
	get scopes() {
		return new Set(this.scope?.split(" "));
	}
	identifier() {
		return this._identifier;
	}
};

// node_modules/oidc-provider/lib/helpers/valid_url.js
function isHttpsUri(uri) {
	return URL.parse(uri)?.protocol === "https:";
}
function isWebUri(uri) {
	const protocol = URL.parse(uri)?.protocol;
	return protocol === "https:" || protocol === "http:";
}

// node_modules/oidc-provider/lib/helpers/claims.js
function getClaims(provider) {
	const { claims: claimConfig, claimsSupported, pairwiseIdentifier } = get$2(provider).configuration;
	return class Claims {
		constructor(available, { ctx, client = ctx ? ctx.oidc.client : void 0 }) {
			if (!is_plain_object_default(available)) throw new TypeError("expected claims to be an object, are you sure claims() method resolves with or returns one?");
			if (!(client instanceof provider.Client)) throw new TypeError("second argument must be a Client instance");
			this.available = available;
			this.client = client;
			this.ctx = ctx;
			this.filter = {};
		}
		scope(value = "") {
			if (Object.keys(this.filter).length) throw new Error("scope cannot be assigned after mask has been set");
			value.split(" ").forEach((scope) => {
				this.mask(claimConfig[scope]);
			});
			return this;
		}
		mask(value) {
			merge(this.filter, value);
		}
		rejected(value = []) {
			value.forEach((claim) => {
				delete this.filter[claim];
			});
		}
		async result() {
			const { available } = this;
			const include = Object.entries(this.filter).map(([key, value]) => {
				if (value === null || is_json_object_default(value)) return key;
			}).filter((key) => key && claimsSupported.has(key));
			const claims = pick_default(available, ...include);
			if (available._claim_names && available._claim_sources) {
				claims._claim_names = pick_default(available._claim_names, ...include);
				claims._claim_sources = pick_default(available._claim_sources, ...Object.values(claims._claim_names));
				if (!Object.keys(claims._claim_names).length) {
					delete claims._claim_names;
					delete claims._claim_sources;
				}
			}
			if (this.client.subjectType === "pairwise" && claims.sub) claims.sub = await pairwiseIdentifier(this.ctx, claims.sub, this.client);
			return claims;
		}
	};
}

// node_modules/oidc-provider/lib/models/payload.js
const cache$1 = /* @__PURE__ */ new WeakMap();
function properties(Model) {
	let result = cache$1.get(Model);
	if (result === void 0) {
		result = new Set(Model.IN_PAYLOAD);
		cache$1.set(Model, result);
	}
	return result;
}
function pick(Model, input) {
	if (input === null) throw new TypeError("invalid model payload");
	const source = Object(input);
	const allowed = properties(Model);
	const result = {};
	for (const key of Object.keys(source)) if (allowed.has(key)) Object.defineProperty(result, key, {
		configurable: true,
		enumerable: true,
		value: source[key],
		writable: true
	});
	return result;
}

// node_modules/oidc-provider/lib/models/formats/opaque.js
const withExtra = /* @__PURE__ */ new Set(["AccessToken", "ClientCredentials"]);
const bitsPerSymbol = Math.log2(64);
const tokenLength = (i) => Math.ceil(i / bitsPerSymbol);
function generateTokenId$2(provider, token) {
	let length;
	if (token.kind !== "PushedAuthorizationRequest") {
		const { bitsOfOpaqueRandomness } = get$2(provider).configuration.formats;
		if (typeof bitsOfOpaqueRandomness === "function") length = tokenLength(bitsOfOpaqueRandomness(als_default.getStore(), token));
		else length = tokenLength(bitsOfOpaqueRandomness);
	}
	return nanoid_default(length);
}
async function getValueAndPayload$2(provider, token) {
	const { configuration } = get$2(provider);
	const now = epoch_time_default();
	const exp = token.exp || now + token.expiration;
	const payload = {
		iat: token.iat || epoch_time_default(),
		...exp ? { exp } : void 0
	};
	const modelPayload = pick(token.constructor, token);
	for (const [key, value] of Object.entries(modelPayload)) if (typeof value !== "undefined") Object.defineProperty(payload, key, {
		configurable: true,
		enumerable: true,
		value,
		writable: true
	});
	if (withExtra.has(token.kind)) payload.extra = token.extra = extraTokenClaims(await configuration.extraTokenClaims(als_default.getStore(), token));
	return {
		value: token.jti,
		payload
	};
}
async function verify(provider, stored, { ignoreExpiration } = {}) {
	if ("jwt" in stored || "jwt-ietf" in stored || "paseto" in stored) throw new TypeError();
	if ("format" in stored && stored.format !== "opaque") throw new TypeError();
	const { configuration } = get$2(provider);
	assertPayload(stored, {
		ignoreExpiration,
		clockTolerance: configuration.clockTolerance
	});
	return stored;
}

// node_modules/oidc-provider/lib/models/formats/jwt.js
async function getResourceServerConfig(provider, token) {
	const { keystore, configuration } = get$2(provider);
	const { clientDefaults: { id_token_signed_response_alg: defaultAlg } } = configuration;
	let sign;
	let encrypt;
	{
		let alg;
		let key;
		let kid;
		if (token.resourceServer) {
			if (token.resourceServer.jwt?.sign) ({alg = defaultAlg, key, kid} = token.resourceServer.jwt.sign);
			else if (!token.resourceServer.jwt || !token.resourceServer.jwt.sign && !token.resourceServer.jwt.encrypt) alg = defaultAlg;
		}
		if (alg === "none") throw new Error("JWT Access Tokens may not use JWS algorithm \"none\"");
		else if (alg) {
			if (alg.startsWith("HS")) {
				if (!key) throw new Error("missing jwt.sign.key Resource Server configuration");
				if (!(key instanceof crypto$1.KeyObject || key instanceof CryptoKey)) key = crypto$1.createSecretKey(key);
				if (key.type !== "secret") throw new Error("jwt.sign.key Resource Server configuration must be a secret (symmetric) key");
			} else {
				[key] = keystore.selectForSign({
					alg,
					use: "sig",
					kid
				});
				if (!key) throw new Error("resolved Resource Server jwt configuration has no corresponding key in the provider's keystore");
				kid = key.kid;
				key = keystore.getKeyObject(key);
			}
			if (kid !== void 0 && typeof kid !== "string") throw new Error("jwt.sign.kid must be a string when provided");
			sign = {
				alg,
				key,
				kid
			};
		}
	}
	if (token.resourceServer?.jwt?.encrypt) {
		const { alg, enc, kid } = token.resourceServer.jwt.encrypt;
		let { key } = token.resourceServer.jwt.encrypt;
		if (!alg) throw new Error("missing jwt.encrypt.alg Resource Server configuration");
		if (!enc) throw new Error("missing jwt.encrypt.enc Resource Server configuration");
		if (!key) throw new Error("missing jwt.encrypt.key Resource Server configuration");
		if (!(key instanceof crypto$1.KeyObject || key instanceof CryptoKey) && /^(A|dir$)/.test(alg)) key = crypto$1.createSecretKey(key);
		if (key.type === "private") throw new Error("jwt.encrypt.key Resource Server configuration must be a secret (symmetric) or a public key");
		if (key.type === "public" && !sign) throw new Error("missing jwt.sign Resource Server configuration");
		if (kid !== void 0 && typeof kid !== "string") throw new Error("jwt.encrypt.kid must be a string when provided");
		encrypt = {
			alg,
			enc,
			key,
			kid
		};
	}
	return {
		sign,
		encrypt
	};
}
function generateTokenId$1() {
	return nanoid_default();
}
async function getValueAndPayload$1(provider, token) {
	const { payload } = await getValueAndPayload$2(provider, token);
	const { aud, jti, iat, exp, scope, clientId, "x5t#S256": x5t, jkt, extra, rar } = payload;
	let { accountId: sub } = payload;
	if (sub) {
		const { client } = token;
		if (client?.clientId !== clientId) throw new TypeError("clientId and client mismatch");
		if (client.subjectType === "pairwise") {
			const { pairwiseIdentifier } = get$2(provider).configuration;
			sub = await pairwiseIdentifier(als_default.getStore(), sub, client);
		}
	}
	const tokenPayload = {
		...extra,
		jti,
		sub: sub || clientId,
		iat,
		exp,
		authorization_details: rar,
		scope: scope || void 0,
		client_id: clientId,
		iss: provider.issuer,
		aud,
		...x5t || jkt ? { cnf: {} } : void 0
	};
	if (x5t) tokenPayload.cnf["x5t#S256"] = x5t;
	if (jkt) tokenPayload.cnf.jkt = jkt;
	const structuredToken = {
		header: void 0,
		payload: tokenPayload
	};
	const customizer = get$2(provider).configuration.formats.customizers.jwt;
	if (customizer) await customizer(als_default.getStore(), token, structuredToken);
	if (!structuredToken.payload.aud) throw new Error("JWT Access Tokens must contain an audience, for Access Tokens without audience (only usable at the userinfo_endpoint) use an opaque format");
	const config = await getResourceServerConfig(provider, token);
	let signed;
	if (config.sign) signed = await sign(structuredToken.payload, config.sign.key, config.sign.alg, {
		typ: "at+jwt",
		fields: {
			kid: config.sign.kid,
			...structuredToken.header
		}
	});
	if (config.sign && config.encrypt) return { value: await encrypt(signed, config.encrypt.key, {
		fields: {
			kid: config.encrypt.kid,
			iss: provider.issuer,
			aud: structuredToken.payload.aud,
			cty: "at+jwt"
		},
		enc: config.encrypt.enc,
		alg: config.encrypt.alg
	}) };
	if (config.sign) return { value: signed };
	if (config.encrypt) {
		const cleartext = JSON.stringify(structuredToken.payload);
		return { value: await encrypt(cleartext, config.encrypt.key, {
			fields: {
				kid: config.encrypt.kid,
				iss: provider.issuer,
				aud: structuredToken.payload.aud,
				typ: "at+jwt",
				...structuredToken.header
			},
			enc: config.encrypt.enc,
			alg: config.encrypt.alg
		}) };
	}
	throw new Error("invalid Resource Server jwt configuration");
}

// node_modules/oidc-provider/lib/models/formats/index.js
function generateTokenId(provider, token) {
	const format = token.resourceServer?.accessTokenFormat ?? "opaque";
	if (format !== "opaque" && format !== "jwt") throw new Error("invalid format resolved");
	token.format = format;
	return format === "jwt" ? generateTokenId$1() : generateTokenId$2(provider, token);
}
async function getValueAndPayload(provider, token) {
	switch (token.format) {
		case "opaque": return getValueAndPayload$2(provider, token);
		case "jwt": return getValueAndPayload$1(provider, token);
		default: throw new Error("invalid format resolved");
	}
}

// node_modules/oidc-provider/lib/models/token_helpers.js
async function checkSessionBinding(provider, token, options) {
	const ignoreSessionBinding = options && options.ignoreSessionBinding === true;
	if (!token?.expiresWithSession || ignoreSessionBinding) return token;
	const session = await provider.Session.findByUid(token.sessionUid);
	if (!session || token.accountId !== session.accountId || token.grantId !== session.grantIdFor(token.clientId)) return;
	return token;
}
function validatePolicies(provider, policies) {
	if (!Array.isArray(policies)) throw new TypeError("policies must be an array");
	if (!policies.length) throw new TypeError("policies must not be empty");
	policies.forEach((policy) => {
		if (typeof policy !== "string") throw new TypeError("policies must be strings");
		if (!get$2(provider).features.registration.policies[policy]) throw new TypeError(`policy ${policy} not configured`);
	});
}
async function setAttestBinding(token, ctx) {
	const { cnf: { jwk } } = decodeJwt(ctx.get("oauth-client-attestation"));
	token.attestationJkt = await calculateJwkThumbprint(jwk);
}
function setThumbprint(token, prop, input) {
	switch (prop) {
		case "x5t":
			if (token.jkt) throw new InvalidRequest("multiple proof-of-possession mechanisms are not allowed");
			token["x5t#S256"] = certThumbprint(input);
			break;
		case "jkt":
			if (token["x5t#S256"]) throw new InvalidRequest("multiple proof-of-possession mechanisms are not allowed");
			token.jkt = input;
			break;
		default: throw new Error("unsupported");
	}
}
function setAudience(token, audience) {
	if (Array.isArray(audience)) {
		if (audience.length === 0) return;
		if (audience.length > 1) throw new InvalidTarget("only a single audience value is supported");
		[audience] = audience;
	} else if (typeof audience !== "string" || !audience) throw new InvalidTarget();
	token.aud = audience;
}

// node_modules/oidc-provider/lib/models/access_token.js
var access_token_default = (provider) => class AccessToken extends provider.BaseToken {
	static get IN_PAYLOAD() {
		return [
			...super.IN_PAYLOAD,
			"gty",
			"grantId",
			"x5t#S256",
			"jkt",
			"sessionUid",
			"expiresWithSession",
			"accountId",
			"aud",
			"rar",
			"claims",
			"extra",
			"grantId",
			"scope",
			"sid"
		];
	}
	static async find(...args) {
		return checkSessionBinding(provider, await super.find(...args), args[1]);
	}
	static async revokeByGrantId(grantId) {
		await this.adapter.revokeByGrantId(grantId);
	}
	setThumbprint(prop, input) {
		setThumbprint(this, prop, input);
	}
	isSenderConstrained() {
		return !!(this.jkt || this["x5t#S256"]);
	}
	get tokenType() {
		return this.jkt ? "DPoP" : "Bearer";
	}
	setAudience(audience) {
		setAudience(this, audience);
	}
	generateTokenId() {
		return generateTokenId(provider, this);
	}
	async getValueAndPayload() {
		return getValueAndPayload(provider, this);
	}
};

// node_modules/oidc-provider/lib/models/authorization_code.js
var authorization_code_default = (provider) => class AuthorizationCode extends provider.BaseToken {
	static get IN_PAYLOAD() {
		return [
			...super.IN_PAYLOAD,
			"consumed",
			"sessionUid",
			"expiresWithSession",
			"grantId",
			"attestationJkt",
			"accountId",
			"acr",
			"amr",
			"authTime",
			"claims",
			"nonce",
			"resource",
			"scope",
			"sid",
			"codeChallenge",
			"codeChallengeMethod",
			"redirectUri",
			"dpopJkt",
			"rar"
		];
	}
	async consume() {
		await this.adapter.consume(this.jti);
		this.emit("consumed");
	}
	get isValid() {
		return !this.consumed && !this.isExpired;
	}
	static async find(...args) {
		return checkSessionBinding(provider, await super.find(...args), args[1]);
	}
	static async revokeByGrantId(grantId) {
		await this.adapter.revokeByGrantId(grantId);
	}
	async setAttestBinding(ctx) {
		await setAttestBinding(this, ctx);
	}
};

// node_modules/oidc-provider/lib/helpers/_/snake_case.js
var snake_case_default = (str = "") => str.replace(/([A-Z][a-z])/g, (x) => `_${x}`.toLowerCase()).replace(/^_+/, "");

// node_modules/oidc-provider/lib/models/base_model.js
const IN_PAYLOAD = [
	"iat",
	"exp",
	"jti",
	"kind"
];
const adapterCache = /* @__PURE__ */ new WeakMap();
function getBaseModel(provider) {
	function adapter(ctx) {
		const obj = typeof ctx === "function" ? ctx : ctx.constructor;
		if (!adapterCache.has(obj)) {
			if (type_validators_default(get$2(provider).Adapter)) adapterCache.set(obj, new (get$2(provider)).Adapter(obj.name));
			else adapterCache.set(obj, get$2(provider).Adapter(obj.name));
		}
		return adapterCache.get(obj);
	}
	class BaseModel {
		constructor(input = {}) {
			const payload = pick(this.constructor, input);
			const { jti, kind } = payload;
			for (const key of Object.keys(payload)) if (key !== "jti" && key !== "kind") {
				if (key === "__proto__") Object.defineProperty(this, key, {
					configurable: true,
					enumerable: true,
					value: payload[key],
					writable: true
				});
				else this[key] = payload[key];
			}
			if (kind && kind !== this.constructor.name) throw new TypeError("kind mismatch");
			this.kind = kind || this.constructor.name;
			this.jti = jti;
		}
		static instantiate(payload) {
			return new this(payload);
		}
		generateTokenId() {
			return generateTokenId$2(provider, this);
		}
		async getValueAndPayload() {
			return getValueAndPayload$2(provider, this);
		}
		static async verify(stored, options = {}) {
			return verify(provider, stored, options);
		}
		async save(ttl) {
			if (!this.jti) this.jti = this.generateTokenId();
			if (typeof this.constructor.expiresIn !== "function") this.exp = epoch_time_default() + ttl;
			const { value, payload } = await this.getValueAndPayload();
			if (payload) {
				await this.adapter.upsert(this.jti, payload, ttl);
				this.emit("saved");
			} else this.emit("issued");
			return value;
		}
		async destroy() {
			await this.adapter.destroy(this.jti);
			this.emit("destroyed");
		}
		static get adapter() {
			return adapter(this);
		}
		get adapter() {
			return adapter(this);
		}
		static get IN_PAYLOAD() {
			return IN_PAYLOAD;
		}
		static async find(value, { ignoreExpiration = false } = {}) {
			if (typeof value !== "string") return;
			const stored = await this.adapter.find(value);
			if (!stored) return;
			try {
				const payload = await this.verify(stored, { ignoreExpiration });
				return this.instantiate(payload);
			} catch {
				return;
			}
		}
		emit(eventName) {
			provider.emit(`${snake_case_default(this.kind)}.${eventName}`, this);
		}
		ttlPercentagePassed() {
			const now = epoch_time_default();
			const percentage = Math.floor(100 * ((now - this.iat) / (this.exp - this.iat)));
			return Math.max(Math.min(100, percentage), 0);
		}
		get isValid() {
			return !this.isExpired;
		}
		get isExpired() {
			return this.exp <= epoch_time_default();
		}
		get remainingTTL() {
			if (!this.exp) return this.expiration;
			return this.exp - epoch_time_default();
		}
	}
	return BaseModel;
}

// node_modules/oidc-provider/lib/models/base_token.js
function getBaseToken(provider) {
	class BaseToken extends get$2(provider).BaseModel {
		#client;
		#resourceServer;
		constructor({ client, resourceServer, expiresIn, ...rest } = {}) {
			super(rest);
			if (typeof client !== "undefined") this.client = client;
			if (typeof resourceServer !== "undefined") this.resourceServer = resourceServer;
			if (typeof expiresIn !== "undefined") this.expiresIn = expiresIn;
		}
		set client(client) {
			this.clientId = client.clientId;
			this.#client = client;
		}
		get client() {
			return this.#client;
		}
		set resourceServer(resourceServer) {
			this.setAudience(resourceServer.audience || resourceServer.identifier());
			this.#resourceServer = resourceServer;
		}
		get resourceServer() {
			return this.#resourceServer;
		}
		static expiresIn(...args) {
			const ttl = get$2(provider).configuration.ttl[this.name];
			const path = `ttl.${this.name}`;
			if (typeof ttl === "number") return positiveInteger(ttl, path);
			if (typeof ttl === "function") return positiveInteger(ttl(...args), path);
		}
		async save() {
			return super.save(this.remainingTTL);
		}
		static get IN_PAYLOAD() {
			return [...super.IN_PAYLOAD, "clientId"];
		}
		get expiration() {
			if (!this.expiresIn) this.expiresIn = this.constructor.expiresIn(als_default.getStore(), this, this.#client);
			return this.expiresIn;
		}
		get scopes() {
			return new Set(this.scope?.split(" "));
		}
		get resourceIndicators() {
			return new Set(Array.isArray(this.resource) ? this.resource : [this.resource]);
		}
	}
	return BaseToken;
}

// node_modules/oidc-provider/lib/helpers/_/map_keys.js
var map_keys_default = (object, iteratee) => {
	const result = {};
	Object.entries(object).forEach(([key, value]) => {
		result[iteratee(value, key, object)] = value;
	});
	return result;
};

// node_modules/oidc-provider/lib/helpers/sector_identifier.js
var sector_identifier_default = (client) => {
	if (client.subjectType === "pairwise") {
		if (!client.sectorIdentifierUri) switch (true) {
			case client.responseTypes.length !== 0: return new URL(client.redirectUris[0]).host;
			case client.grantTypes.includes("urn:openid:params:grant-type:ciba"):
			case client.grantTypes.includes("urn:ietf:params:oauth:grant-type:device_code"): return new URL(client.jwksUri).host;
			default: throw new InvalidClientMetadata("could not determine a sector identifier");
		}
	}
	return client.sectorIdentifierUri ? new URL(client.sectorIdentifierUri).host : void 0;
};

// node_modules/oidc-provider/lib/helpers/client_schema.js
const W3CEmailRegExp = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*$/;
const FORBIDDEN_SCHEMES = /* @__PURE__ */ new Set([
	"javascript:",
	"vbscript:",
	"data:",
	"blob:",
	"file:",
	"about:"
]);
const needsJwks = {
	jwe: /^(RSA|ECDH)/,
	jws: /^(?:(?:P|E|R)S(?:256|384|512)|Ed(?:DSA|25519)|ML-DSA-(?:44|65|87))$/
};
const { ARYS, BOOL, ENUM: ENUMS, HTTPS_URI, LOOPBACKS, REQUIRED, STRING, SYNTAX, WEB_URI, WHEN } = client_attributes_exports;
function isUndefined(value) {
	return value === void 0;
}
function isDenseArray(value) {
	for (let index = 0; index < value.length; index++) if (!Object.hasOwn(value, index)) return false;
	return true;
}
function getSchema(provider) {
	const { configuration, features } = get$2(provider);
	const { scopes } = configuration;
	const RECOGNIZED_METADATA$1 = structuredClone(RECOGNIZED_METADATA);
	const DEFAULTS$1 = structuredClone(DEFAULTS);
	const DEFAULT_CONFIGURATION = structuredClone(configuration.clientDefaults);
	Object.assign(DEFAULTS$1, DEFAULT_CONFIGURATION);
	if (configuration.subjectTypes.size === 1 && configuration.subjectTypes.has("pairwise")) DEFAULTS$1.subject_type = "pairwise";
	if (features.mTLS.enabled && features.mTLS.tlsClientAuth) RECOGNIZED_METADATA$1.push("tls_client_auth_subject_dn", "tls_client_auth_san_dns", "tls_client_auth_san_uri", "tls_client_auth_san_ip", "tls_client_auth_san_email", "use_mtls_endpoint_aliases");
	if (configuration.clientAuthSigningAlgValues) RECOGNIZED_METADATA$1.push("token_endpoint_auth_signing_alg");
	if (features.jwtUserinfo.enabled) RECOGNIZED_METADATA$1.push("userinfo_signed_response_alg");
	if (features.introspection.enabled) {
		if (features.jwtIntrospection.enabled) {
			RECOGNIZED_METADATA$1.push("introspection_signed_response_alg");
			if (features.encryption.enabled) RECOGNIZED_METADATA$1.push("introspection_encrypted_response_alg", "introspection_encrypted_response_enc");
		}
	}
	if (features.rpInitiatedLogout.enabled) RECOGNIZED_METADATA$1.push("post_logout_redirect_uris");
	if (features.backchannelLogout.enabled) RECOGNIZED_METADATA$1.push("backchannel_logout_session_required", "backchannel_logout_uri");
	if (features.requestObjects.enabled) {
		RECOGNIZED_METADATA$1.push("request_object_signing_alg", "require_signed_request_object");
		if (features.encryption.enabled) RECOGNIZED_METADATA$1.push("request_object_encryption_alg", "request_object_encryption_enc");
	}
	if (features.pushedAuthorizationRequests.enabled) RECOGNIZED_METADATA$1.push("require_pushed_authorization_requests");
	if (features.encryption.enabled) {
		RECOGNIZED_METADATA$1.push("id_token_encrypted_response_alg", "id_token_encrypted_response_enc");
		if (features.jwtUserinfo.enabled) RECOGNIZED_METADATA$1.push("userinfo_encrypted_response_alg", "userinfo_encrypted_response_enc");
	}
	if (features.jwtResponseModes.enabled) {
		RECOGNIZED_METADATA$1.push("authorization_signed_response_alg");
		if (features.encryption.enabled) RECOGNIZED_METADATA$1.push("authorization_encrypted_response_alg", "authorization_encrypted_response_enc");
	}
	if (features.mTLS.enabled && features.mTLS.certificateBoundAccessTokens) RECOGNIZED_METADATA$1.push("tls_client_certificate_bound_access_tokens");
	if (features.ciba.enabled) {
		RECOGNIZED_METADATA$1.push("backchannel_token_delivery_mode", "backchannel_user_code_parameter", "backchannel_client_notification_endpoint");
		if (features.requestObjects.enabled) RECOGNIZED_METADATA$1.push("backchannel_authentication_request_signing_alg");
	}
	if (features.dPoP.enabled) RECOGNIZED_METADATA$1.push("dpop_bound_access_tokens");
	if (features.richAuthorizationRequests.enabled) RECOGNIZED_METADATA$1.push("authorization_details_types");
	let CHOICES$1 = {};
	if (features.rpMetadataChoices.enabled) {
		CHOICES$1 = Object.fromEntries(Object.entries(CHOICES).filter(([key]) => RECOGNIZED_METADATA$1.includes(key)));
		RECOGNIZED_METADATA$1.push(...Object.values(CHOICES$1));
	}
	get$2(provider).RECOGNIZED_METADATA = RECOGNIZED_METADATA$1;
	const ENUM = {
		...ENUMS,
		default_acr_values: () => configuration.acrValues,
		grant_types: () => configuration.grantTypes,
		id_token_encrypted_response_alg: () => configuration.idTokenEncryptionAlgValues,
		id_token_encrypted_response_enc: () => configuration.idTokenEncryptionEncValues,
		id_token_signed_response_alg: () => configuration.idTokenSigningAlgValues,
		request_object_signing_alg: () => configuration.requestObjectSigningAlgValues,
		backchannel_token_delivery_mode: () => features.ciba.deliveryModes,
		backchannel_authentication_request_signing_alg: () => configuration.requestObjectSigningAlgValues.filter((alg) => !alg.startsWith("HS")),
		request_object_encryption_alg: () => configuration.requestObjectEncryptionAlgValues,
		request_object_encryption_enc: () => configuration.requestObjectEncryptionEncValues,
		response_types: () => configuration.responseTypes,
		response_modes: () => [...get$2(provider).responseModes.keys()],
		subject_type: () => configuration.subjectTypes,
		authorization_details_types: () => Object.keys(features.richAuthorizationRequests.types),
		token_endpoint_auth_method: (metadata) => {
			if (metadata.subject_type === "pairwise") {
				for (const grant of ["urn:ietf:params:oauth:grant-type:device_code", "urn:openid:params:grant-type:ciba"]) if (metadata.grant_types.includes(grant) && !["private_key_jwt", "self_signed_tls_client_auth"].includes(metadata.token_endpoint_auth_method)) metadata.invalidate(`pairwise ${grant} clients must utilize private_key_jwt or self_signed_tls_client_auth token endpoint authentication methods`);
			}
			return configuration.clientAuthMethods;
		},
		token_endpoint_auth_signing_alg: ({ token_endpoint_auth_method: method }) => {
			switch (method) {
				case "private_key_jwt": return configuration.clientAuthSigningAlgValues.filter((x) => !x.startsWith("HS"));
				case "client_secret_jwt": return configuration.clientAuthSigningAlgValues.filter((x) => x.startsWith("HS"));
				default: return [];
			}
		},
		userinfo_encrypted_response_alg: () => configuration.userinfoEncryptionAlgValues,
		userinfo_encrypted_response_enc: () => configuration.userinfoEncryptionEncValues,
		userinfo_signed_response_alg: () => configuration.userinfoSigningAlgValues,
		introspection_encrypted_response_alg: () => configuration.introspectionEncryptionAlgValues,
		introspection_encrypted_response_enc: () => configuration.introspectionEncryptionEncValues,
		introspection_signed_response_alg: () => configuration.introspectionSigningAlgValues,
		authorization_encrypted_response_alg: () => configuration.authorizationEncryptionAlgValues,
		authorization_encrypted_response_enc: () => configuration.authorizationEncryptionEncValues,
		authorization_signed_response_alg: () => configuration.authorizationSigningAlgValues
	};
	class Schema {
		#cimd = false;
		constructor(metadata, ctx, processCustomMetadata = !!configuration.extraClientMetadata.properties.length, cimd = false) {
			this.#cimd = cimd;
			if (processCustomMetadata) {
				this.#assign(metadata);
				this.processCustomMetadata(ctx);
				this.#initialize(this);
			} else this.#initialize(metadata);
			this.ensureStripUnrecognized();
			this.ensureStripChoices();
		}
		#assign(metadata) {
			Object.assign(this, omit_by_default(pick_default(DEFAULTS$1, ...RECOGNIZED_METADATA$1), (value, key) => isUndefined(value) || key in CHOICES$1 && metadata[CHOICES$1[key]] !== void 0), omit_by_default(pick_default(metadata, ...RECOGNIZED_METADATA$1, ...configuration.extraClientMetadata.properties), isUndefined));
		}
		#initialize(metadata) {
			this.#assign(metadata);
			this.choices();
			this.required();
			this.booleans();
			this.whens();
			this.arrays();
			this.strings();
			this.syntax();
			this.normalizeResponseTypes();
			this.enums();
			this.webUris();
			this.scopes();
			this.postLogoutRedirectUris();
			this.redirectUris();
			this.checkContacts();
			this.jarPolicy();
			this.parPolicy();
			["default_max_age", "client_secret_expires_at"].forEach((prop) => {
				if (this[prop] !== void 0) {
					if (!Number.isSafeInteger(this[prop]) || Math.sign(this[prop]) === -1) this.invalidate(`${prop} must be a non-negative integer`);
				}
			});
			const responseTypes = new Set(this.response_types.flatMap((rt) => rt.split(" ")));
			if (responseTypes.size && !this.redirect_uris.length) {
				const { pushedAuthorizationRequests: par } = features;
				if (!par.enabled || !par.allowUnregisteredRedirectUris || !this.require_pushed_authorization_requests || this.token_endpoint_auth_method === "none" || this.sector_identifier_uri) this.invalidate("redirect_uris must contain members");
			}
			if (responseTypes.size && this.response_modes?.length === 0) this.invalidate("response_modes must contain members");
			if (responseTypes.has("code") && !this.grant_types.includes("authorization_code")) this.grant_types.push("authorization_code");
			if ((responseTypes.has("token") || responseTypes.has("id_token")) && !this.grant_types.includes("implicit")) this.grant_types.push("implicit");
			if (this.grant_types.includes("implicit") && !responseTypes.has("id_token") && !responseTypes.has("token")) this.grant_types.splice(this.grant_types.indexOf("implicit"), 1);
			if (this.grant_types.includes("authorization_code") && !responseTypes.has("code")) this.grant_types.splice(this.grant_types.indexOf("authorization_code"), 1);
			{
				const { 0: pop, length } = ["tls_client_certificate_bound_access_tokens", "dpop_bound_access_tokens"].filter((conf) => this[conf]);
				if (length > 1) this.invalidate("only one proof of possession mechanism can be made required at a time");
				if (length !== 0 && responseTypes.has("token")) this.invalidate(`response_types must not include "token" when ${pop} is used`);
			}
			{
				const { length } = [
					this.tls_client_auth_san_dns,
					this.tls_client_auth_san_email,
					this.tls_client_auth_san_ip,
					this.tls_client_auth_san_uri,
					this.tls_client_auth_subject_dn
				].filter(Boolean);
				if (this.token_endpoint_auth_method === "tls_client_auth") {
					if (length === 0) this.invalidate("tls_client_auth requires one of the certificate subject value parameters");
					if (length !== 1) this.invalidate("only one tls_client_auth certificate subject value must be provided");
				} else {
					this.#unset("tls_client_auth_san_dns");
					this.#unset("tls_client_auth_san_email");
					this.#unset("tls_client_auth_san_ip");
					this.#unset("tls_client_auth_san_uri");
					this.#unset("tls_client_auth_subject_dn");
				}
			}
			sector_identifier_default(this);
			if (this.jwks !== void 0 && this.jwks_uri !== void 0) this.invalidate("jwks and jwks_uri must not be used at the same time");
		}
		choices() {
			for (const [target, choice] of Object.entries(CHOICES$1)) if (this[choice] !== void 0) {
				if (!Array.isArray(this[choice])) this.invalidate(`${choice} must be an array`);
				if (!isDenseArray(this[choice])) this.invalidate(`${choice} must only contain strings`);
				const choices = new Set(this[choice]);
				if (this[target] !== void 0 && !choices.has(this[target])) this.invalidate(`${choice} must include the value of provided ${target}`);
				const only = ENUM[target](this);
				const options = /* @__PURE__ */ new Set();
				if (this[target]) options.add(this[target]);
				for (const value of choices) {
					if (typeof value !== "string" || !value.length) this.invalidate(`${choice} must only contain strings`);
					options.add(value);
				}
				for (const option of options) try {
					this[target] = option;
					this.#enum(target, only);
					break;
				} catch {
					this.#unset(target);
				}
				if (!this[target]) this.invalidate(`${choice} includes no supported values`);
			}
		}
		invalidate(message, _code) {
			throw new InvalidClientMetadata(message);
		}
		required() {
			const checked = REQUIRED.slice();
			if (provider.Client.needsSecret(this)) checked.push("client_secret");
			if (Array.isArray(this.response_types) && this.response_types.length) checked.push("redirect_uris");
			else if (this.redirect_uris === void 0) this.redirect_uris = [];
			if (Array.isArray(this.grant_types) && this.grant_types.includes("urn:openid:params:grant-type:ciba")) {
				checked.push("backchannel_token_delivery_mode");
				if (this.backchannel_token_delivery_mode !== "poll") checked.push("backchannel_client_notification_endpoint");
				if (this.subject_type === "pairwise") {
					checked.push("jwks_uri");
					if (Array.isArray(this.response_types) && this.response_types.length) checked.push("sector_identifier_uri");
				}
			}
			if (this.subject_type === "pairwise") {
				if (Array.isArray(this.grant_types) && this.grant_types.includes("urn:ietf:params:oauth:grant-type:device_code")) {
					checked.push("jwks_uri");
					if (Array.isArray(this.response_types) && this.response_types.length) checked.push("sector_identifier_uri");
				}
				if (Array.isArray(this.response_types) && this.response_types.length && Array.isArray(this.redirect_uris) && new Set(this.redirect_uris.map((uri) => new URL(uri).host)).size > 1) checked.push("sector_identifier_uri");
			}
			checked.forEach((prop) => {
				if (!this[prop]) this.invalidate(`${prop} is mandatory property`);
			});
			if ((["private_key_jwt", "self_signed_tls_client_auth"].includes(this.token_endpoint_auth_method) || needsJwks.jws.test(this.request_object_signing_alg) || needsJwks.jws.test(this.backchannel_authentication_request_signing_alg) || needsJwks.jwe.test(this.id_token_encrypted_response_alg) || needsJwks.jwe.test(this.userinfo_encrypted_response_alg) || needsJwks.jwe.test(this.introspection_encrypted_response_alg) || needsJwks.jwe.test(this.authorization_encrypted_response_alg)) && !this.jwks && !this.jwks_uri) this.invalidate("jwks or jwks_uri is mandatory for this client");
		}
		strings() {
			STRING.forEach((prop) => {
				if (this[prop] !== void 0) {
					const isAry = ARYS.includes(prop);
					(isAry ? this[prop] : [this[prop]]).forEach((val) => {
						if (typeof val !== "string" || !val.length) this.invalidate(isAry ? `${prop} must only contain strings` : `${prop} must be a non-empty string if provided`);
					});
				}
			});
		}
		webUris() {
			WEB_URI.forEach((prop) => {
				if (this[prop] !== void 0) {
					const isAry = ARYS.includes(prop);
					(isAry ? this[prop] : [this[prop]]).forEach((val) => {
						const method = HTTPS_URI.includes(prop) ? isHttpsUri : isWebUri;
						const type = method === isWebUri ? "web" : "https";
						if (!method(val)) this.invalidate(isAry ? `${prop} must only contain ${type} uris` : `${prop} must be a ${type} uri`);
					});
				}
			});
		}
		arrays() {
			ARYS.forEach((prop) => {
				if (this[prop] !== void 0) {
					if (!Array.isArray(this[prop])) this.invalidate(`${prop} must be an array`);
					if (!isDenseArray(this[prop])) this.invalidate(`${prop} must only contain strings`);
					this[prop] = [...new Set(this[prop])];
				}
			});
		}
		booleans() {
			BOOL.forEach((prop) => {
				if (this[prop] !== void 0) {
					if (typeof this[prop] !== "boolean") this.invalidate(`${prop} must be a boolean`);
				}
			});
		}
		whens() {
			Object.entries(WHEN).forEach(([when, [property, value]]) => {
				if (this[when] !== void 0 && this[property] === void 0) this.invalidate(`${property} is mandatory property when ${when} is provided`);
				if (value && this[when] === void 0 && this[property] !== void 0) this[when] = value;
			});
		}
		enums() {
			Object.entries(ENUM).forEach(([prop, fn]) => {
				const only = fn(this);
				if (this[prop] !== void 0) this.#enum(prop, only);
			});
		}
		#enum(prop, only) {
			const isAry = ARYS.includes(prop);
			let length;
			let method;
			if (only instanceof Set) {
				({size: length} = only);
				method = "has";
			} else {
				({length} = only);
				method = "includes";
			}
			if (isAry && !this[prop].every((val) => only[method](val))) {
				if (this.#cimd && length) {
					this[prop] = this[prop].filter((val) => only[method](val));
					if (!this[prop].length) this.invalidate(`${prop} has no values supported by this authorization server`);
				} else if (length) this.invalidate(`${prop} can only contain ${formatList([...only], { type: "disjunction" })}`);
				else this.invalidate(`${prop} must be empty (no values are allowed)`);
			} else if (!isAry && !only[method](this[prop])) {
				if (length) this.invalidate(`${prop} must be ${formatList([...only], { type: "disjunction" })}`);
				else this.invalidate(`${prop} must not be provided (no values are allowed)`);
			}
		}
		normalizeResponseTypes() {
			this.response_types = this.response_types.map((type) => [...new Set(type.split(" "))].sort().join(" "));
		}
		postLogoutRedirectUris() {
			if (this.post_logout_redirect_uris) this.redirectUris(this.post_logout_redirect_uris, "post_logout_redirect_uris");
		}
		redirectUris(uris = this.redirect_uris, label = "redirect_uris") {
			uris.forEach((redirectUri) => {
				const parsed = URL.parse(redirectUri);
				if (!parsed) this.invalidate(`${label} must only contain valid uris`);
				const { hostname, protocol } = parsed;
				if (parsed.href.includes("#")) this.invalidate(`${label} must not contain fragments`);
				switch (this.application_type) {
					case "web":
						if (!["https:", "http:"].includes(protocol)) this.invalidate(`${label} must only contain web uris`);
						if (this.grant_types.includes("implicit")) {
							if (protocol === "http:") this.invalidate(`${label} for web clients using implicit flow MUST only register URLs using the https scheme`, "implicit-force-https");
							if (hostname === "localhost") this.invalidate(`${label} for web clients using implicit flow must not be using localhost`, "implicit-forbid-localhost");
						}
						break;
					case "native": switch (protocol) {
						case "http:":
							if (!LOOPBACKS.has(hostname)) this.invalidate(`${label} for native clients using http as a protocol can only use loopback addresses as hostnames`);
							break;
						case "https:":
							if (LOOPBACKS.has(hostname)) this.invalidate(`${label} for native clients using claimed HTTPS URIs must not be using ${hostname} as hostname`);
							break;
						default: if (FORBIDDEN_SCHEMES.has(protocol)) this.invalidate(`${label} must not use the ${protocol.slice(0, -1)} URI scheme`);
					}
				}
			});
		}
		checkContacts() {
			if (this.contacts) this.contacts.forEach((contact) => {
				if (!W3CEmailRegExp.test(contact)) this.invalidate("contacts can only contain email addresses");
			});
		}
		processCustomMetadata(ctx) {
			configuration.extraClientMetadata.properties.forEach((prop) => {
				const result = configuration.extraClientMetadata.validator(ctx, prop, this[prop], this);
				if (result && typeof result.then === "function") {
					Promise.resolve(result).catch(() => {});
					throw new TypeError("extraClientMetadata.validator must be a synchronous function");
				}
			});
		}
		parPolicy() {
			const par = features.pushedAuthorizationRequests;
			if (par.enabled && par.requirePushedAuthorizationRequests) this.require_pushed_authorization_requests = true;
		}
		jarPolicy() {
			if (features.requestObjects.enabled && features.requestObjects.requireSignedRequestObject) this.require_signed_request_object = true;
		}
		ensureStripUnrecognized() {
			const allowed = [...RECOGNIZED_METADATA$1, ...configuration.extraClientMetadata.properties];
			Object.keys(this).forEach((prop) => {
				if (!allowed.includes(prop)) this.#unset(prop);
			});
		}
		ensureStripChoices() {
			Object.values(CHOICES$1).forEach(this.#unset, this);
		}
		#unset(prop) {
			delete this[prop];
		}
		scopes() {
			if (this.scope) {
				const parsed = new Set(this.scope.split(" "));
				parsed.forEach((scope) => {
					if (!scopes.has(scope)) this.invalidate("scope must only contain Authorization Server supported scope values");
				});
				this.scope = [...parsed].join(" ");
			}
		}
		syntax() {
			for (const [prop, regexp] of Object.entries(SYNTAX)) if (regexp.exec(this[prop])) this.invalidate(`invalid ${prop} value`);
		}
	}
	return Schema;
}

// node_modules/oidc-provider/lib/helpers/client_id_metadata_document.js
const FORBIDDEN_AUTH_METHODS = /* @__PURE__ */ new Set([
	"client_secret_basic",
	"client_secret_post",
	"client_secret_jwt"
]);
function hasForbiddenRawUrlCodePoint(input) {
	for (let i = 0; i < input.length; i++) {
		const code = input.charCodeAt(i);
		if (code <= 32 || code === 92 || code === 127) return true;
	}
	return false;
}
const cache = /* @__PURE__ */ new WeakMap();
const pending = /* @__PURE__ */ new WeakMap();
function getCache(provider) {
	let entries = cache.get(provider);
	if (!entries) {
		entries = new LRU({ maxSize: 100 });
		cache.set(provider, entries);
	}
	return entries;
}
function getPending(provider) {
	let requests = pending.get(provider);
	if (!requests) {
		requests = /* @__PURE__ */ new Map();
		pending.set(provider, requests);
	}
	return requests;
}
function isValidClientIdUrl(id) {
	if (!/^https:\/\//iu.test(id) || hasForbiddenRawUrlCodePoint(id)) return false;
	const url = URL.parse(id);
	if (!url) return false;
	if (url.protocol !== "https:") return false;
	const afterScheme = id.slice(8);
	const authorityEnd = afterScheme.search(/[/?#]/u);
	const authority = authorityEnd === -1 ? afterScheme : afterScheme.slice(0, authorityEnd);
	if (!authority) return false;
	const pathStart = afterScheme.search(/[/?#]/u);
	if ((pathStart !== -1 && afterScheme[pathStart] === "/" ? afterScheme.slice(pathStart).split("?")[0].split("#")[0] : "/").split("/").some((seg) => {
		const dotNormalized = seg.replace(/%2e/giu, ".");
		return dotNormalized === "." || dotNormalized === "..";
	})) return false;
	if (id.includes("#")) return false;
	if (authority.includes("@")) return false;
	return true;
}
function parseCacheDuration(response, { min, max }) {
	let duration;
	const cacheControl = response.headers.get("cache-control");
	if (cacheControl) {
		const maxAgeMatch = cacheControl.match(/(?:^|,)\s*max-age\s*=\s*(\d+)/i);
		if (maxAgeMatch) duration = parseInt(maxAgeMatch[1], 10);
	}
	if (duration === void 0) {
		const expires = response.headers.get("expires");
		if (expires) {
			const expiresDate = Date.parse(expires);
			if (!Number.isNaN(expiresDate)) duration = Math.floor((expiresDate - Date.now()) / 1e3);
		}
	}
	if (duration === void 0) duration = min;
	return Math.max(min, Math.min(max, duration));
}
async function fetchMetadataDocument(provider, id, cacheDuration) {
	let response;
	try {
		response = await fetchRequest(provider, id, {
			method: "GET",
			headers: { accept: "application/json" },
			redirect: "manual"
		});
	} catch (cause) {
		throw new InvalidClient("client_id metadata document fetch failed", { cause });
	}
	if (response.status !== 200) throw new InvalidClient("client_id metadata document fetch failed", `unexpected response status ${response.status}`, { cause: response });
	let bodyText;
	try {
		bodyText = (await fetchBodyCheck(provider, "client_id metadata document", response)).toString();
	} catch (cause) {
		throw new InvalidClient("client_id metadata document fetch failed", { cause });
	}
	let properties;
	try {
		properties = JSON.parse(bodyText);
	} catch (cause) {
		throw new InvalidClient("client_id metadata document fetch failed", { cause });
	}
	if (typeof properties !== "object" || properties === null || Array.isArray(properties)) throw new InvalidClientMetadata("client_id metadata document is not a JSON object");
	if (properties.client_id !== id) throw new InvalidClientMetadata("client_id metadata document client_id does not match the expected value");
	if (FORBIDDEN_AUTH_METHODS.has(properties.token_endpoint_auth_method)) throw new InvalidClientMetadata("client_id metadata document must not use shared-secret token endpoint authentication methods");
	if ("client_secret" in properties || "client_secret_expires_at" in properties) throw new InvalidClientMetadata("client_id metadata document must not contain client_secret or client_secret_expires_at");
	for (const prop of WEB_URI$1) if (prop in properties) {
		const uri = URL.parse(properties[prop]);
		if (!uri || uri.protocol !== "https:") throw new InvalidClientMetadata(`client_id metadata document ${prop} must be an https: URL`);
	}
	return {
		properties,
		maxAge: parseCacheDuration(response, cacheDuration) * 1e3
	};
}
async function createClient(provider, properties) {
	const client = await add(provider, properties, { cimd: true });
	Object.defineProperty(client, "clientIdMetadataDocument", { value: true });
	return client;
}
async function assertClientAllowed(feature, ctx, client) {
	if (!boolean(await feature.allowClient(ctx, client), "features.clientIdMetadataDocument.allowClient")) throw new InvalidClient("client is not allowed");
}
async function resolveCachedClient(provider, feature, ctx, properties) {
	const client = await createClient(provider, properties);
	await assertClientAllowed(feature, ctx, client);
	return client;
}
async function resolveClientByMetadataDocument(provider, id) {
	const { features: { clientIdMetadataDocument: feature } } = get$2(provider).configuration;
	const ctx = als_default.getStore();
	const entries = getCache(provider);
	let properties = entries.get(id);
	if (properties) return resolveCachedClient(provider, feature, ctx, properties);
	if (!boolean(await feature.allowFetch(ctx, id), "features.clientIdMetadataDocument.allowFetch")) throw new InvalidClient("client_id metadata document fetch not allowed");
	properties = entries.get(id);
	if (properties) return resolveCachedClient(provider, feature, ctx, properties);
	const requests = getPending(provider);
	let request = requests.get(id);
	if (!request) {
		request = fetchMetadataDocument(provider, id, feature.cacheDuration);
		requests.set(id, request);
	}
	let client;
	try {
		const fetched = await request;
		client = await createClient(provider, fetched.properties);
		if (!entries.has(id)) entries.set(id, fetched.properties, { maxAge: fetched.maxAge });
	} finally {
		if (requests.get(id) === request) requests.delete(id);
	}
	await assertClientAllowed(feature, ctx, client);
	return client;
}

// node_modules/oidc-provider/lib/models/client.js
const CLIENT_JWK_REQUIREMENTS = /* @__PURE__ */ new Map([
	["EC", {
		required: ["x", "y"],
		privateParameters: ["d"],
		subtype: {
			parameter: "crv",
			values: /* @__PURE__ */ new Set([
				"P-256",
				"P-384",
				"P-521"
			])
		}
	}],
	["OKP", {
		required: ["x"],
		privateParameters: ["d"],
		subtype: {
			parameter: "crv",
			values: /* @__PURE__ */ new Set(["Ed25519", "X25519"])
		}
	}],
	["AKP", {
		required: ["alg", "pub"],
		privateParameters: ["priv"]
	}],
	["RSA", {
		required: ["e", "n"],
		privateParameters: [
			"d",
			"p",
			"q",
			"dp",
			"dq",
			"qi",
			"oth"
		]
	}]
]);
function stripLoopbackPort(uri) {
	const parsed = URL.parse(uri);
	if (!parsed || parsed.protocol !== "http:" || !LOOPBACKS$1.has(parsed.hostname)) return;
	const schemeEnd = uri.indexOf("://");
	if (schemeEnd === -1) return;
	const authorityStart = schemeEnd + 3;
	const authorityEndOffset = uri.slice(authorityStart).search(/[/?#]/u);
	const authorityEnd = authorityEndOffset === -1 ? uri.length : authorityStart + authorityEndOffset;
	const authority = uri.slice(authorityStart, authorityEnd);
	const hostStart = authority.lastIndexOf("@") + 1;
	const hostAndPort = authority.slice(hostStart);
	let portStart;
	if (hostAndPort.startsWith("[")) {
		const bracketEnd = hostAndPort.indexOf("]");
		if (bracketEnd === -1 || hostAndPort[bracketEnd + 1] !== ":") return uri;
		portStart = hostStart + bracketEnd + 1;
	} else {
		const portOffset = hostAndPort.lastIndexOf(":");
		if (portOffset === -1) return uri;
		portStart = hostStart + portOffset;
	}
	if (!/^\d*$/u.test(authority.slice(portStart + 1))) return;
	return `${uri.slice(0, authorityStart + portStart)}${uri.slice(authorityEnd)}`;
}
const validateJWKS = (jwks) => {
	if (jwks !== void 0) {
		if (!Array.isArray(jwks?.keys) || !jwks.keys.every(is_plain_object_default)) throw new InvalidClientMetadata("client JSON Web Key Set is invalid");
	}
};
const nonSecretAuthMethods = /* @__PURE__ */ new Set([
	"private_key_jwt",
	"none",
	"tls_client_auth",
	"self_signed_tls_client_auth",
	"attest_jwt_client_auth",
	"attest_jwt_client_auth_dpop"
]);
const clientEncryptions = [
	"id_token_encrypted_response_alg",
	"request_object_encryption_alg",
	"userinfo_encrypted_response_alg",
	"introspection_encrypted_response_alg",
	"authorization_encrypted_response_alg"
];
const signAlgAttributes = [
	"id_token_signed_response_alg",
	"request_object_signing_alg",
	"token_endpoint_auth_signing_alg",
	"userinfo_signed_response_alg",
	"introspection_signed_response_alg",
	"authorization_signed_response_alg"
];
function isSymmetricAlg(prop) {
	const value = this[prop];
	return /^(A|dir$)/.test(value);
}
function isHmac(prop) {
	const value = this[prop];
	return /^HS/.test(value);
}
function checkJWK(jwk, i) {
	const prefix = `jwks.keys[${i}]`;
	try {
		const invalid = (message) => {
			throw new Error(message, { cause: jwk });
		};
		const requireString = (parameter, { keyType, optional = false } = {}) => {
			if (optional && jwk[parameter] === void 0) return;
			if (!(typeof jwk[parameter] === "string" && jwk[parameter])) {
				const qualifier = keyType ? ` for ${keyType} keys` : optional ? " if provided" : "";
				invalid(`${prefix}.${parameter} must be a non-empty string${qualifier}`);
			}
		};
		if (!is_plain_object_default(jwk)) invalid(`${prefix} must be a plain object`);
		requireString("kty");
		const requirements = CLIENT_JWK_REQUIREMENTS.get(jwk.kty);
		if (!requirements) {
			if (jwk.kty === "oct") invalid(`${prefix} must not contain symmetric keys`);
			return;
		}
		const keyType = jwk.kty;
		if (requirements.subtype) {
			requireString(requirements.subtype.parameter, { keyType });
			if (!requirements.subtype.values.has(jwk[requirements.subtype.parameter])) return void 0;
		}
		for (const parameter of requirements.required) requireString(parameter, { keyType });
		for (const parameter of requirements.privateParameters) if (jwk[parameter] !== void 0) invalid(`${prefix}.${parameter} must not be provided for ${keyType} keys`);
		for (const parameter of [
			"alg",
			"kid",
			"use"
		]) requireString(parameter, { optional: true });
		if (!(jwk.x5c === void 0 || Array.isArray(jwk.x5c) && jwk.x5c.every((x) => typeof x === "string" && x))) invalid(`${prefix}.x5c must be an array of non-empty strings if provided`);
	} catch (cause) {
		throw new InvalidClientMetadata("client JSON Web Key Set is invalid", { cause });
	}
	return jwk;
}
function deriveEncryptionKey(secret, length) {
	const digest = length <= 32 ? "sha256" : length <= 48 ? "sha384" : length <= 64 ? "sha512" : false;
	if (!digest) throw new Error("unsupported symmetric encryption key derivation");
	return crypto$1.hash(digest, secret, "buffer").subarray(0, length);
}
function getClient(provider) {
	class ClientKeyStore extends KeyStore {
		#client;
		#provider = provider;
		constructor(clientInstance) {
			super();
			this.#client = clientInstance;
		}
		get client() {
			return this.#client;
		}
		get provider() {
			return this.#provider;
		}
		get jwksUri() {
			return this.client?.jwksUri;
		}
		fresh() {
			if (!this.jwksUri) return true;
			const now = epoch_time_default();
			return !!this.freshUntil && this.freshUntil > now;
		}
		stale() {
			return !this.fresh();
		}
		add(key) {
			if (this.client.clientAuthMethod === "self_signed_tls_client_auth" && Array.isArray(key.x5c) && key.x5c.length) key["x5t#S256"] = certThumbprint(key.x5c[0]);
			super.add(key);
		}
		async refresh() {
			if (this.fresh()) return;
			if (!this.lock) this.lock = (async () => {
				const response = await fetchRequest(provider, new URL(this.jwksUri).href, {
					method: "GET",
					headers: { Accept: "application/json" }
				});
				const buf = await fetchBodyCheck(provider, "jwks_uri", response);
				const body = JSON.parse(buf.toString());
				const { headers, status } = response;
				const freshUntil = [epoch_time_default() + 60];
				if (headers.has("expires")) freshUntil.push(epoch_time_default(Date.parse(headers.get("expires"))));
				if (headers.has("cache-control") && /max-age=(\d+)/.test(headers.get("cache-control"))) {
					const maxAge = parseInt(RegExp.$1, 10);
					freshUntil.push(epoch_time_default() + maxAge);
				}
				this.freshUntil = Math.max(...freshUntil.filter(Boolean));
				if (status !== 200) throw new Error(`unexpected jwks_uri response status code, expected 200 OK, got ${status} ${STATUS_CODES[status]}`, { cause: response });
				validateJWKS(body);
				this.clear();
				body.keys.map(checkJWK).filter(Boolean).forEach(ClientKeyStore.prototype.add.bind(this));
				delete this.lock;
			})().catch((cause) => {
				delete this.lock;
				throw new InvalidClientMetadata("client JSON Web Key Set failed to be refreshed", { cause });
			});
			await this.lock;
		}
	}
	function buildAsymmetricKeyStore(client) {
		Object.defineProperty(client, "asymmetricKeyStore", {
			configurable: true,
			get() {
				const keystore = new ClientKeyStore(this);
				Object.defineProperty(this, "asymmetricKeyStore", {
					configurable: false,
					value: keystore
				});
				return this.asymmetricKeyStore;
			}
		});
	}
	function buildSymmetricKeyStore(client) {
		const { configuration } = get$2(provider);
		Object.defineProperty(client, "symmetricKeyStore", {
			configurable: false,
			value: new KeyStore()
		});
		const algs = /* @__PURE__ */ new Set();
		if (client.clientSecret) {
			if (client.clientAuthMethod === "client_secret_jwt") {
				if (client.clientAuthSigningAlg) algs.add(client.clientAuthSigningAlg);
				else configuration.clientAuthSigningAlgValues?.forEach(Set.prototype.add.bind(algs));
			}
			[
				"introspectionSignedResponseAlg",
				"userinfoSignedResponseAlg",
				"authorizationSignedResponseAlg",
				"idTokenSignedResponseAlg",
				"requestObjectSigningAlg"
			].forEach((prop) => {
				algs.add(client[prop]);
			});
			if (!client.requestObjectSigningAlg) configuration.requestObjectSigningAlgValues.forEach(Set.prototype.add.bind(algs));
			configuration.requestObjectEncryptionAlgValues.forEach(Set.prototype.add.bind(algs));
			if (configuration.requestObjectEncryptionAlgValues.includes("dir")) configuration.requestObjectEncryptionEncValues.forEach(Set.prototype.add.bind(algs));
			[
				"idTokenEncryptedResponse",
				"userinfoEncryptedResponse",
				"introspectionEncryptedResponse",
				"authorizationEncryptedResponse"
			].forEach((prop) => {
				algs.add(client[`${prop}Alg`]);
				if (client[`${prop}Alg`] === "dir") algs.add(client[`${prop}Enc`]);
			});
			algs.delete(void 0);
			for (const alg of algs) if (!(alg.startsWith("HS") || /^A(\d{3})(?:GCM)?KW$/.test(alg) || /^A(\d{3})(?:GCM|CBC-HS(\d{3}))$/.test(alg))) algs.delete(alg);
			for (const alg of algs) if (alg.startsWith("HS")) client.symmetricKeyStore.add({
				alg,
				use: "sig",
				kty: "oct",
				k: encode(client.clientSecret)
			});
			else if (/^A(\d{3})(?:GCM)?KW$/.test(alg)) {
				const len = parseInt(RegExp.$1, 10) / 8;
				client.symmetricKeyStore.add({
					alg,
					use: "enc",
					kty: "oct",
					k: deriveEncryptionKey(client.clientSecret, len).toString("base64url")
				});
			} else if (/^A(\d{3})(?:GCM|CBC-HS(\d{3}))$/.test(alg)) {
				const len = parseInt(RegExp.$2 || RegExp.$1, 10) / 8;
				client.symmetricKeyStore.add({
					alg,
					use: "enc",
					kty: "oct",
					k: deriveEncryptionKey(client.clientSecret, len).toString("base64url")
				});
			}
		}
	}
	class Client {
		#sectorIdentifier = null;
		static #Schema = getSchema(provider);
		static #adapter;
		constructor(metadata, ctx, { cimd } = {}) {
			const schema = new Client.Schema(metadata, ctx, void 0, cimd);
			Object.assign(this, map_keys_default(schema, (_value, key) => {
				if (!get$2(provider).RECOGNIZED_METADATA.includes(key)) return key;
				return camel_case_default(key);
			}));
			buildAsymmetricKeyStore(this);
			buildSymmetricKeyStore(this);
			validateJWKS(this.jwks);
			if (this.jwks) this.jwks.keys.map(checkJWK).filter(Boolean).forEach(ClientKeyStore.prototype.add.bind(this.asymmetricKeyStore));
		}
		static get adapter() {
			this.#adapter ||= type_validators_default(get$2(provider).Adapter) ? new (get$2(provider)).Adapter("Client") : get$2(provider).Adapter("Client");
			return this.#adapter;
		}
		async backchannelPing(backchannelAuthenticationRequest) {
			if (!this.backchannelClientNotificationEndpoint || this.backchannelTokenDeliveryMode !== "ping" || !backchannelAuthenticationRequest || !backchannelAuthenticationRequest.jti || backchannelAuthenticationRequest.kind !== "BackchannelAuthenticationRequest" || !backchannelAuthenticationRequest.params.client_notification_token) throw new TypeError();
			return fetchRequest(provider, new URL(this.backchannelClientNotificationEndpoint).href, {
				method: "POST",
				redirect: "manual",
				headers: {
					authorization: `Bearer ${backchannelAuthenticationRequest.params.client_notification_token}`,
					"content-type": "application/json"
				},
				body: JSON.stringify({ auth_req_id: backchannelAuthenticationRequest.jti })
			}).then((response) => {
				const { status } = response;
				if (status !== 204 && status !== 200) {
					const error = /* @__PURE__ */ new Error(`expected 204 No Content from ${this.backchannelClientNotificationEndpoint}, got: ${status} ${STATUS_CODES[status]}`);
					error.response = response;
					throw error;
				}
			});
		}
		async backchannelLogout(sub, sid) {
			const logoutToken = new provider.IdToken({ sub }, {
				client: this,
				ctx: void 0
			});
			logoutToken.mask = { sub: null };
			logoutToken.set("events", { "http://schemas.openid.net/event/backchannel-logout": {} });
			logoutToken.set("jti", nanoid_default());
			if (this.backchannelLogoutSessionRequired) logoutToken.set("sid", sid);
			return fetchRequest(provider, new URL(this.backchannelLogoutUri).href, {
				method: "POST",
				redirect: "manual",
				headers: { "content-type": "application/x-www-form-urlencoded" },
				body: new URLSearchParams({ logout_token: await logoutToken.issue({ use: "logout" }) })
			}).then((response) => {
				const { status } = response;
				if (status !== 200 && status !== 204) {
					const error = /* @__PURE__ */ new Error(`expected 200 OK from ${this.backchannelLogoutUri}, got: ${status} ${STATUS_CODES[status]}`);
					error.response = response;
					throw error;
				}
			});
		}
		responseTypeAllowed(type) {
			return this.responseTypes.includes(type);
		}
		responseModeAllowed(responseMode, responseType, fapiProfile) {
			if (fapiProfile === "1.0 Final" && !responseType.includes("id_token") && !responseMode.includes("jwt")) return false;
			return this.responseModes?.includes(responseMode) !== false;
		}
		grantTypeAllowed(type) {
			return this.grantTypes.includes(type);
		}
		#redirectAllowed(value, allowedUris) {
			if (allowedUris.includes(value)) return true;
			if (this.applicationType !== "native") return false;
			const withoutPort = stripLoopbackPort(value);
			if (withoutPort === void 0) return false;
			return allowedUris.some((allowed) => stripLoopbackPort(allowed) === withoutPort);
		}
		redirectUriAllowed(value) {
			return this.#redirectAllowed(value, this.redirectUris);
		}
		postLogoutRedirectUriAllowed(value) {
			return this.#redirectAllowed(value, this.postLogoutRedirectUris);
		}
		static async validate(metadata) {
			const client = new Client(metadata);
			if (client.sectorIdentifierUri !== void 0) await sectorValidate(provider, client);
		}
		metadata() {
			return map_keys_default(this, (_value, key) => {
				const snaked = snake_case_default(key);
				if (!get$2(provider).RECOGNIZED_METADATA.includes(snaked)) return key;
				return snaked;
			});
		}
		get sectorIdentifier() {
			if (this.#sectorIdentifier === null) this.#sectorIdentifier = sector_identifier_default(this);
			return this.#sectorIdentifier;
		}
		includeSid() {
			return this.backchannelLogoutUri && this.backchannelLogoutSessionRequired;
		}
		compareClientSecret(actual) {
			return constantEquals(this.clientSecret, actual, 1e3);
		}
		checkClientSecretExpiration(message, errorOverride) {
			if (!this.clientSecretExpiresAt) return;
			const { clockTolerance } = get$2(provider).configuration;
			if (epoch_time_default() - clockTolerance >= this.clientSecretExpiresAt) {
				const err = new InvalidClient(message, `client_id ${this.clientId} client_secret expired at ${this.clientSecretExpiresAt}`);
				if (errorOverride) {
					err.error = errorOverride;
					err.message = errorOverride;
				}
				throw err;
			}
		}
		get clientAuthMethod() {
			return this.tokenEndpointAuthMethod;
		}
		get clientAuthSigningAlg() {
			return this.tokenEndpointAuthSigningAlg;
		}
		static async find(id) {
			if (typeof id !== "string" || !id.length) return;
			const { staticClients, dynamicClients } = get$2(provider);
			const cached = staticClients?.get(id);
			if (cached) {
				if (!(cached instanceof Client)) {
					const client = new Client(cached);
					if (client.sectorIdentifierUri !== void 0) await sectorValidate(provider, client);
					Object.defineProperty(client, "noManage", { value: true });
					staticClients.set(id, client);
					return client;
				}
				return cached;
			}
			const properties = await this.adapter.find(id);
			if (properties) {
				const propHash = crypto$1.hash("sha256", JSON.stringify(properties), "base64url");
				let client = dynamicClients.get(propHash);
				if (!client) {
					client = await add(provider, properties);
					dynamicClients.set(propHash, client);
				}
				return client;
			}
			if (get$2(provider).features.clientIdMetadataDocument.enabled && isValidClientIdUrl(id)) return resolveClientByMetadataDocument(provider, id);
		}
		static needsSecret(metadata) {
			if (!nonSecretAuthMethods.has(metadata.token_endpoint_auth_method)) return true;
			if (signAlgAttributes.some(isHmac, metadata)) return true;
			if (clientEncryptions.some(isSymmetricAlg, metadata)) return true;
			return false;
		}
		static get Schema() {
			return this.#Schema;
		}
	}
	return Client;
}

// node_modules/oidc-provider/lib/models/client_credentials.js
var client_credentials_default = (provider) => class ClientCredentials extends provider.BaseToken {
	static get IN_PAYLOAD() {
		return [
			...super.IN_PAYLOAD,
			"x5t#S256",
			"jkt",
			"aud",
			"extra",
			"rar",
			"scope"
		];
	}
	setThumbprint(prop, input) {
		setThumbprint(this, prop, input);
	}
	isSenderConstrained() {
		return !!(this.jkt || this["x5t#S256"]);
	}
	get tokenType() {
		return this.jkt ? "DPoP" : "Bearer";
	}
	setAudience(audience) {
		setAudience(this, audience);
	}
	generateTokenId() {
		return generateTokenId(provider, this);
	}
	async getValueAndPayload() {
		return getValueAndPayload(provider, this);
	}
};

// node_modules/oidc-provider/lib/models/device_code.js
var device_code_default = (provider) => class DeviceCode extends provider.BaseToken {
	static async findByUserCode(userCode, { ignoreExpiration = false } = {}) {
		const stored = await this.adapter.findByUserCode(userCode);
		if (!stored) return void 0;
		try {
			const payload = await this.verify(stored, { ignoreExpiration });
			if (!constantEquals(userCode, payload.userCode)) return;
			return this.instantiate(payload);
		} catch {
			return;
		}
	}
	static get IN_PAYLOAD() {
		return [
			...super.IN_PAYLOAD,
			"consumed",
			"grantId",
			"attestationJkt",
			"sessionUid",
			"expiresWithSession",
			"accountId",
			"acr",
			"amr",
			"authTime",
			"claims",
			"nonce",
			"resource",
			"scope",
			"sid",
			"error",
			"errorDescription",
			"params",
			"rar",
			"userCode",
			"inFlight",
			"deviceInfo"
		];
	}
	async consume() {
		await this.adapter.consume(this.jti);
		this.emit("consumed");
	}
	get isValid() {
		return !this.consumed && !this.isExpired;
	}
	static async find(...args) {
		return checkSessionBinding(provider, await super.find(...args), args[1]);
	}
	static async revokeByGrantId(grantId) {
		await this.adapter.revokeByGrantId(grantId);
	}
	async setAttestBinding(ctx) {
		await setAttestBinding(this, ctx);
	}
};

// node_modules/oidc-provider/lib/models/backchannel_authentication_request.js
var backchannel_authentication_request_default = (provider) => class BackchannelAuthenticationRequest extends provider.BaseToken {
	static get IN_PAYLOAD() {
		return [
			...super.IN_PAYLOAD,
			"consumed",
			"grantId",
			"attestationJkt",
			"sessionUid",
			"expiresWithSession",
			"accountId",
			"acr",
			"amr",
			"authTime",
			"claims",
			"nonce",
			"resource",
			"scope",
			"sid",
			"error",
			"errorDescription",
			"params",
			"rar"
		];
	}
	async consume() {
		await this.adapter.consume(this.jti);
		this.emit("consumed");
	}
	get isValid() {
		return !this.consumed && !this.isExpired;
	}
	static async find(...args) {
		return checkSessionBinding(provider, await super.find(...args), args[1]);
	}
	static async revokeByGrantId(grantId) {
		await this.adapter.revokeByGrantId(grantId);
	}
	async setAttestBinding(ctx) {
		await setAttestBinding(this, ctx);
	}
};

// node_modules/oidc-provider/lib/models/id_token.js
const hashes = [
	"at_hash",
	"c_hash",
	"s_hash"
];
function getHashArgs(alg) {
	switch (alg) {
		case "RS256":
		case "PS256":
		case "ES256":
		case "HS256": return "sha256";
		case "RS384":
		case "PS384":
		case "ES384":
		case "HS384": return "sha384";
		case "RS512":
		case "PS512":
		case "ES512":
		case "HS512":
		case "Ed25519":
		case "EdDSA": return "sha512";
		case "ML-DSA-44":
		case "ML-DSA-65":
		case "ML-DSA-87": return ["shake256", { outputLength: 64 }];
		default: throw new Error("not implemented");
	}
}
const messages = {
	sig: {
		idtoken: "client secret is expired - cannot issue an ID Token (%s)",
		logout: "client secret is expired - cannot issue a Logout Token (%s)",
		userinfo: "client secret is expired - cannot respond with %s JWT UserInfo response",
		introspection: "client secret is expired - cannot respond with %s JWT Introspection response"
	},
	enc: {
		idtoken: "client secret is expired - cannot issue an encrypted ID Token (%s)",
		logout: "client secret is expired - cannot issue an encrypted Logout Token (%s)",
		userinfo: "client secret is expired - cannot respond with %s encrypted JWT UserInfo response",
		introspection: "client secret is expired - cannot respond with %s encrypted JWT Introspection response"
	}
};
function getIdToken(provider) {
	return class IdToken {
		constructor(available, { ctx, client = ctx ? ctx.oidc.client : void 0 }) {
			if (!is_plain_object_default(available)) throw new TypeError("expected claims to be an object, are you sure claims() method resolves with or returns one?");
			this.extra = {};
			this.available = available;
			this.client = client;
			this.ctx = ctx;
		}
		static expiresIn(...args) {
			const ttl = get$2(provider).configuration.ttl[this.name];
			if (typeof ttl === "number") return positiveInteger(ttl, `ttl.${this.name}`);
			return positiveInteger(ttl(...args), `ttl.${this.name}`);
		}
		set(key, value) {
			this.extra[key] = value;
		}
		async payload() {
			const mask = new provider.Claims(this.available, {
				ctx: this.ctx,
				client: this.client
			});
			mask.scope(this.scope);
			mask.mask(this.mask);
			mask.rejected(this.rejected);
			return merge({}, await mask.result(), this.extra);
		}
		async issue({ use, expiresAt = null } = {}) {
			const { client } = this;
			const expiresIn = expiresAt ? expiresAt - epoch_time_default() : void 0;
			let alg;
			const payload = await this.payload();
			let signOptions;
			let encryption;
			switch (use) {
				case "idtoken":
					alg = client.idTokenSignedResponseAlg;
					signOptions = {
						audience: client.clientId,
						expiresIn: expiresIn || this.constructor.expiresIn(this.ctx, this, client),
						issuer: provider.issuer,
						subject: payload.sub
					};
					encryption = {
						alg: client.idTokenEncryptedResponseAlg,
						enc: client.idTokenEncryptedResponseEnc
					};
					break;
				case "logout":
					alg = client.idTokenSignedResponseAlg;
					signOptions = {
						audience: client.clientId,
						issuer: provider.issuer,
						subject: payload.sub,
						typ: "logout+jwt",
						expiresIn: 120
					};
					encryption = {
						alg: client.idTokenEncryptedResponseAlg,
						enc: client.idTokenEncryptedResponseEnc
					};
					break;
				case "userinfo":
					alg = client.userinfoSignedResponseAlg;
					signOptions = {
						audience: client.clientId,
						issuer: provider.issuer,
						subject: payload.sub,
						expiresIn
					};
					encryption = {
						alg: client.userinfoEncryptedResponseAlg,
						enc: client.userinfoEncryptedResponseEnc
					};
					break;
				case "introspection":
					alg = client.introspectionSignedResponseAlg;
					signOptions = {
						audience: client.clientId,
						issuer: provider.issuer,
						typ: "token-introspection+jwt"
					};
					encryption = {
						alg: client.introspectionEncryptedResponseAlg,
						enc: client.introspectionEncryptedResponseEnc
					};
					break;
				case "authorization":
					alg = client.authorizationSignedResponseAlg;
					signOptions = {
						audience: client.clientId,
						expiresIn: 120,
						issuer: provider.issuer,
						noIat: true
					};
					encryption = {
						alg: client.authorizationEncryptedResponseAlg,
						enc: client.authorizationEncryptedResponseEnc
					};
					break;
				default: throw new TypeError("invalid use option");
			}
			const signed = await (async () => {
				if (typeof alg !== "string") throw new Error(`${use} signing algorithm must be a string`, { cause: client });
				let jwk;
				let key;
				if (alg.startsWith("HS")) {
					if (use !== "authorization") client.checkClientSecretExpiration(format(messages.sig[use], alg));
					[jwk] = client.symmetricKeyStore.selectForSign({
						alg,
						use: "sig"
					});
					key = client.symmetricKeyStore.getKeyObject(jwk);
				} else {
					[jwk] = get$2(provider).keystore.selectForSign({
						alg,
						use: "sig"
					});
					key = get$2(provider).keystore.getKeyObject(jwk);
				}
				if (use === "idtoken") {
					const digest = getHashArgs(alg);
					for (const claim of hashes) if (payload[claim]) {
						const hash = typeof digest === "string" ? crypto$1.hash(digest, payload[claim], "buffer") : crypto$1.createHash(...digest).update(payload[claim]).digest();
						payload[claim] = hash.subarray(0, hash.byteLength / 2).toString("base64url");
					}
				}
				if (jwk) signOptions.fields = { kid: jwk.kid };
				return sign(payload, key, alg, signOptions);
			})();
			if (!encryption.enc) return signed;
			if (/^(A|dir$)/.test(encryption.alg)) {
				if (use !== "authorization") client.checkClientSecretExpiration(format(messages.enc[use], encryption.alg));
			}
			let jwk;
			let encryptionKey;
			if (encryption.alg === "dir") {
				[jwk] = client.symmetricKeyStore.selectForEncrypt({
					alg: encryption.enc,
					use: "enc"
				});
				if (jwk) encryptionKey = client.symmetricKeyStore.getKeyObject(jwk, true);
			} else if (encryption.alg.startsWith("A")) {
				[jwk] = client.symmetricKeyStore.selectForEncrypt({
					alg: encryption.alg,
					use: "enc"
				});
				if (jwk) encryptionKey = client.symmetricKeyStore.getKeyObject(jwk, true);
			} else {
				await client.asymmetricKeyStore.refresh();
				[jwk] = client.asymmetricKeyStore.selectForEncrypt({
					alg: encryption.alg,
					use: "enc"
				});
				if (jwk) encryptionKey = client.asymmetricKeyStore.getKeyObject(jwk, true);
			}
			if (!encryptionKey) throw new InvalidClientMetadata(`no suitable encryption key found (${encryption.alg})`);
			const { kid } = jwk;
			return encrypt(signed, encryptionKey, {
				enc: encryption.enc,
				alg: encryption.alg,
				fields: {
					cty: "JWT",
					kid,
					iss: signOptions.issuer,
					aud: signOptions.audience
				}
			});
		}
		static async validate(jwt, client) {
			const alg = client.idTokenSignedResponseAlg;
			let keyOrStore;
			if (alg.startsWith("HS")) {
				client.checkClientSecretExpiration("client secret is expired - cannot validate ID Token Hint");
				keyOrStore = client.symmetricKeyStore;
			} else keyOrStore = get$2(provider).keystore;
			const opts = {
				ignoreExpiration: true,
				audience: client.clientId,
				issuer: provider.issuer,
				clockTolerance: get$2(provider).configuration.clockTolerance,
				algorithm: alg,
				subject: true
			};
			return verify$1(jwt, keyOrStore, opts);
		}
	};
}

// node_modules/oidc-provider/lib/models/initial_access_token.js
var initial_access_token_default = (provider) => class InitialAccessToken extends provider.BaseToken {
	static get IN_PAYLOAD() {
		return [...super.IN_PAYLOAD, "policies"].filter((v) => v !== "clientId");
	}
	async save() {
		if (typeof this.policies !== "undefined") validatePolicies(provider, this.policies);
		return super.save();
	}
	static async find(...args) {
		const result = await super.find(...args);
		if (result && typeof result.policies !== "undefined") validatePolicies(provider, result.policies);
		return result;
	}
};

// node_modules/oidc-provider/lib/models/interaction.js
var interaction_default = (provider) => class Interaction extends get$2(provider).BaseModel {
	constructor(jti, payload) {
		if (payload !== void 0) {
			if (payload.session instanceof get$2(provider).BaseModel) {
				const { session } = payload;
				Object.assign(payload, session.accountId ? { session: {
					accountId: session.accountId,
					...session.uid ? { uid: session.uid } : void 0,
					...session.jti ? { cookie: session.jti } : void 0,
					...session.acr ? { acr: session.acr } : void 0,
					...session.amr ? { amr: session.amr } : void 0
				} } : { session: void 0 });
			}
			if (payload.grant instanceof get$2(provider).BaseModel) {
				const { grant } = payload;
				if (grant.jti) Object.assign(payload, { grantId: grant.jti });
			}
			super({
				jti,
				...payload
			});
		} else super(jti);
	}
	get uid() {
		return this.jti;
	}
	set uid(value) {
		this.jti = value;
	}
	async save(ttl) {
		if (typeof ttl !== "number") throw new TypeError("\"ttl\" argument must be a number");
		return super.save(ttl);
	}
	async persist() {
		if (typeof this.exp !== "number") throw new TypeError("persist can only be called on previously persisted Interactions");
		return this.save(this.exp - epoch_time_default());
	}
	static get IN_PAYLOAD() {
		return [
			...super.IN_PAYLOAD,
			"session",
			"params",
			"prompt",
			"result",
			"returnTo",
			"trusted",
			"grantId",
			"lastSubmission",
			"deviceCode",
			"cid",
			"parJti"
		];
	}
};

// node_modules/oidc-provider/lib/models/pushed_authorization_request.js
var pushed_authorization_request_default = (provider) => class PushedAuthorizationRequest extends get$2(provider).BaseModel {
	static get IN_PAYLOAD() {
		return [
			...super.IN_PAYLOAD,
			"consumed",
			"attestationJkt",
			"request",
			"dpopJkt",
			"trusted"
		];
	}
	async consume() {
		await this.adapter.consume(this.jti);
		this.emit("consumed");
	}
	get isValid() {
		return !this.consumed && !this.isExpired;
	}
	async setAttestBinding(ctx) {
		await setAttestBinding(this, ctx);
	}
};

// node_modules/oidc-provider/lib/models/pre_authorized_code.js
var pre_authorized_code_default = (provider) => class PreAuthorizedCode extends provider.BaseToken {
	static get IN_PAYLOAD() {
		return [
			...super.IN_PAYLOAD,
			"consumed",
			"grantId",
			"accountId",
			"claims",
			"rar",
			"resource",
			"scope",
			"txCode"
		];
	}
	async consume() {
		await this.adapter.consume(this.jti);
		this.emit("consumed");
	}
	get isValid() {
		return !this.consumed && !this.isExpired;
	}
	static async revokeByGrantId(grantId) {
		await this.adapter.revokeByGrantId(grantId);
	}
};

// node_modules/oidc-provider/lib/models/refresh_token.js
var refresh_token_default = (provider) => class RefreshToken extends provider.BaseToken {
	constructor(...args) {
		super(...args);
		if (!this.iiat) this.iiat = this.iat || epoch_time_default();
	}
	static get IN_PAYLOAD() {
		return [
			...super.IN_PAYLOAD,
			"consumed",
			"gty",
			"grantId",
			"x5t#S256",
			"jkt",
			"attestationJkt",
			"sessionUid",
			"expiresWithSession",
			"accountId",
			"acr",
			"amr",
			"authTime",
			"claims",
			"nonce",
			"resource",
			"scope",
			"sid",
			"rar",
			"rotations",
			"iiat"
		];
	}
	totalLifetime() {
		return epoch_time_default() - this.iiat;
	}
	async consume() {
		await this.adapter.consume(this.jti);
		this.emit("consumed");
	}
	get isValid() {
		return !this.consumed && !this.isExpired;
	}
	static async find(...args) {
		return checkSessionBinding(provider, await super.find(...args), args[1]);
	}
	static async revokeByGrantId(grantId) {
		await this.adapter.revokeByGrantId(grantId);
	}
	setThumbprint(prop, input) {
		setThumbprint(this, prop, input);
	}
	isSenderConstrained() {
		return !!(this.jkt || this["x5t#S256"]);
	}
	get tokenType() {
		return this.jkt ? "DPoP" : "Bearer";
	}
	async setAttestBinding(ctx) {
		await setAttestBinding(this, ctx);
	}
};

// node_modules/oidc-provider/lib/models/registration_access_token.js
var registration_access_token_default = (provider) => class RegistrationAccessToken extends provider.BaseToken {
	static get IN_PAYLOAD() {
		return [...super.IN_PAYLOAD, "policies"];
	}
	async save() {
		if (typeof this.policies !== "undefined") validatePolicies(provider, this.policies);
		return super.save();
	}
	static async find(...args) {
		const result = await super.find(...args);
		if (result && typeof result.policies !== "undefined") validatePolicies(provider, result.policies);
		return result;
	}
};

// node_modules/oidc-provider/lib/models/replay_detection.js
var replay_detection_default = (provider) => class ReplayDetection extends get$2(provider).BaseModel {
	static get IN_PAYLOAD() {
		return [...super.IN_PAYLOAD, "iss"];
	}
	static async unique(iss, jti, exp) {
		const id = crypto$1.hash("sha256", `${iss}${jti}`, "base64url");
		if (await this.find(id)) return false;
		await this.instantiate({
			jti: id,
			iss
		}).save(exp - epoch_time_default());
		return true;
	}
};

// node_modules/oidc-provider/lib/models/session.js
var session_default = (provider) => class Session extends get$2(provider).BaseModel {
	constructor(payload) {
		super(payload);
		if (!payload) Object.defineProperty(this, "new", { value: true });
		this.uid = this.uid || nanoid_default();
		this.jti = this.jti || nanoid_default();
	}
	get id() {
		return this.jti;
	}
	set id(value) {
		this.jti = value;
	}
	static get IN_PAYLOAD() {
		return [
			...super.IN_PAYLOAD,
			"uid",
			"acr",
			"amr",
			"accountId",
			"loginTs",
			"transient",
			"state",
			"authorizations"
		];
	}
	static async findByUid(uid) {
		const stored = await this.adapter.findByUid(uid);
		if (!stored) return;
		try {
			const payload = await this.verify(stored);
			return this.instantiate(payload);
		} catch {
			return;
		}
	}
	static async get(ctx) {
		const cookies = ctx.oidc ? ctx.oidc.cookies : provider.createContext(ctx.req, ctx.res).cookies;
		cookies.secure = !cookies.secure && ctx.secure ? true : cookies.secure;
		const cookieSessionId = cookies.get(provider.cookieName("session"), get$2(provider).configuration.cookies.long);
		let session;
		if (cookieSessionId) session = await this.find(cookieSessionId);
		if (!session) {
			if (cookieSessionId) session = this.instantiate({});
			else session = this.instantiate();
		}
		if (ctx.oidc instanceof provider.OIDCContext) ctx.oidc.entity("Session", session);
		return session;
	}
	async save(ttl) {
		if (typeof ttl !== "number") throw new TypeError("\"ttl\" argument must be a number");
		if (this.oldId) await this.adapter.destroy(this.oldId);
		const result = await super.save(ttl);
		this.touched = false;
		return result;
	}
	async persist() {
		if (typeof this.exp !== "number") throw new TypeError("persist can only be called on previously persisted Sessions");
		return this.save(this.exp - epoch_time_default());
	}
	async destroy() {
		await super.destroy();
		this.destroyed = true;
	}
	resetIdentifier() {
		this.oldId = this.id;
		this.id = nanoid_default();
		this.touched = true;
	}
	authTime() {
		return this.loginTs;
	}
	past(age) {
		const maxAge = +age;
		if (this.loginTs) return epoch_time_default() - this.loginTs > maxAge;
		return true;
	}
	authorizationFor(clientId, value) {
		if (value === void 0 && !this.authorizations) return {};
		this.authorizations = this.authorizations || {};
		if (!this.authorizations[clientId]) this.authorizations[clientId] = {};
		return this.authorizations[clientId];
	}
	sidFor(clientId, value) {
		const authorization = this.authorizationFor(clientId, value);
		if (value) {
			authorization.sid = value;
			return;
		}
		return authorization.sid;
	}
	grantIdFor(clientId, value) {
		const authorization = this.authorizationFor(clientId, value);
		if (value) {
			authorization.grantId = value;
			return;
		}
		return authorization.grantId;
	}
	ensureClientContainer(clientId) {
		if (!this.sidFor(clientId)) this.sidFor(clientId, nanoid_default());
	}
	loginAccount(details) {
		const { transient = false, accountId, loginTs = epoch_time_default(), amr, acr } = details;
		Object.assign(this, {
			accountId,
			loginTs,
			amr,
			acr
		}, transient ? { transient: true } : void 0);
	}
};

// node_modules/oidc-provider/lib/models/grant.js
var grant_default = (provider) => class Grant extends provider.BaseToken {
	static get IN_PAYLOAD() {
		return [
			"accountId",
			"clientId",
			"resources",
			"openid",
			"rejected",
			"rar",
			...super.IN_PAYLOAD
		];
	}
	clean() {
		if (this.openid && !this.openid.scope && (!this.openid.claims || this.openid.claims.length === 0)) delete this.openid;
		if (this.resources) {
			for (const [identifier, value] of Object.entries(this.resources)) if (!value) delete this.resources[identifier];
			if (Object.keys(this.resources).length === 0) delete this.resources;
		}
	}
	async save(...args) {
		this.clean();
		if (this.rejected) this.clean.call(this.rejected);
		return super.save(...args);
	}
	getOIDCScope() {
		if (this.openid?.scope) {
			if (this.rejected) {
				const rejected = this.getOIDCScope.call(this.rejected).split(" ");
				const granted = new Set(this.openid.scope.split(" "));
				for (const scope of rejected) if (scope !== "openid") granted.delete(scope);
				return [...granted].join(" ");
			}
			return this.openid.scope;
		}
		return "";
	}
	getRejectedOIDCScope() {
		this.rejected ||= {};
		return this.getOIDCScope.call(this.rejected);
	}
	getOIDCScopeFiltered(filter) {
		if (Array.isArray(filter)) filter = new Set(filter);
		else if (!(filter instanceof Set)) throw new TypeError("\"filter\" must be an instance of Set");
		return this.getOIDCScope().split(" ").filter(Set.prototype.has.bind(filter)).join(" ");
	}
	addOIDCScope(scope) {
		if (scope instanceof Set) scope = [...scope].join(" ");
		else if (Array.isArray(scope)) scope = scope.join(" ");
		else if (typeof scope !== "string") throw new TypeError("\"scope\" must be a string");
		this.openid ||= {};
		if (this.openid.scope) this.openid.scope = [.../* @__PURE__ */ new Set([...this.openid.scope.split(" "), ...scope.split(" ")])].join(" ");
		else this.openid.scope = scope;
	}
	rejectOIDCScope(...args) {
		this.rejected ||= {};
		this.addOIDCScope.call(this.rejected, ...args);
	}
	getOIDCScopeEncountered() {
		const granted = this.getOIDCScope().split(" ");
		const rejected = this.getRejectedOIDCScope().split(" ");
		return granted.concat(rejected).join(" ");
	}
	getResourceScope(resource) {
		if (typeof resource !== "string") throw new TypeError("\"resource\" must be a string");
		if (this.resources?.[resource]) {
			if (this.rejected) {
				const rejected = this.getResourceScope.call(this.rejected, resource).split(" ");
				const granted = new Set(this.resources[resource].split(" "));
				for (const scope of rejected) granted.delete(scope);
				return [...granted].join(" ");
			}
			return this.resources[resource];
		}
		return "";
	}
	getRejectedResourceScope(...args) {
		this.rejected ||= {};
		return this.getResourceScope.call(this.rejected, ...args);
	}
	getResourceScopeFiltered(resource, filter) {
		if (typeof resource !== "string") throw new TypeError("\"resource\" must be a string");
		if (Array.isArray(filter)) filter = new Set(filter);
		else if (!(filter instanceof Set)) throw new TypeError("\"filter\" must be an instance of Set");
		return this.getResourceScope(resource).split(" ").filter(Set.prototype.has.bind(filter)).join(" ");
	}
	addResourceScope(resource, scope) {
		if (typeof resource !== "string") throw new TypeError("\"resource\" must be a string");
		if (scope instanceof Set) scope = [...scope].join(" ");
		else if (Array.isArray(scope)) scope = scope.join(" ");
		else if (typeof scope !== "string") throw new TypeError("\"scope\" must be a string");
		this.resources ||= {};
		if (this.resources[resource]) this.resources[resource] = [.../* @__PURE__ */ new Set([...this.resources[resource].split(" "), ...scope.split(" ")])].join(" ");
		else this.resources[resource] = scope;
	}
	rejectResourceScope(...args) {
		this.rejected ||= {};
		this.addResourceScope.call(this.rejected, ...args);
	}
	getResourceScopeEncountered(resource) {
		if (typeof resource !== "string") throw new TypeError("\"resource\" must be a string");
		const granted = this.getResourceScope(resource).split(" ");
		const rejected = this.getRejectedResourceScope(resource).split(" ");
		return granted.concat(rejected).join(" ");
	}
	getOIDCClaims() {
		if (this.openid?.claims) {
			if (this.rejected) {
				const rejected = this.getOIDCClaims.call(this.rejected);
				const granted = new Set(this.openid.claims);
				for (const claim of rejected) if (!NON_REJECTABLE_CLAIMS.has(claim)) granted.delete(claim);
				return [...granted];
			}
			return this.openid.claims;
		}
		return [];
	}
	getRejectedOIDCClaims() {
		this.rejected ||= {};
		return this.getOIDCClaims.call(this.rejected);
	}
	getOIDCClaimsFiltered(filter) {
		if (Array.isArray(filter)) filter = new Set(filter);
		else if (!(filter instanceof Set)) throw new TypeError("\"filter\" must be an instance of Set");
		return this.getOIDCClaims().filter(Set.prototype.has.bind(filter));
	}
	addOIDCClaims(claims) {
		if (claims instanceof Set) claims = [...claims];
		else if (!Array.isArray(claims)) throw new TypeError("\"claims\" must be an array");
		if (claims.some((claim) => typeof claim !== "string")) throw new TypeError("\"claims\" must be an array of strings");
		this.openid ||= {};
		if (this.openid.claims) this.openid.claims = [.../* @__PURE__ */ new Set([...this.openid.claims, ...claims])];
		else this.openid.claims = claims;
	}
	rejectOIDCClaims(...args) {
		this.rejected ||= {};
		this.addOIDCClaims.call(this.rejected, ...args);
	}
	getOIDCClaimsEncountered() {
		const granted = this.getOIDCClaims();
		const rejected = this.getRejectedOIDCClaims();
		return granted.concat(rejected);
	}
	addRar(detail) {
		this.rar ||= [];
		this.rar.push(detail);
	}
};

// node_modules/oidc-provider/lib/provider.js
const featuresDescriptor = {
	enumerable: true,
	configurable: true,
	get() {
		return this.configuration.features;
	}
};
var Provider = class extends Koa {
	#AccessToken;
	#AuthorizationCode;
	#BaseToken;
	#Claims;
	#Client;
	#ClientCredentials;
	#DeviceCode;
	#BackchannelAuthenticationRequest;
	#Grant;
	#IdToken;
	#InitialAccessToken;
	#Interaction;
	#mountPath;
	#OIDCContext;
	#PreAuthorizedCode;
	#PushedAuthorizationRequest;
	#RefreshToken;
	#RegistrationAccessToken;
	#ReplayDetection;
	#Session;
	#exec;
	#int = Object.defineProperty({ dynamicClients: new LRU({ maxSize: 100 }) }, "features", featuresDescriptor);
	static {
		setReader((provider) => {
			if (provider === null || typeof provider !== "object" && typeof provider !== "function") return;
			return #int in provider ? provider.#int : void 0;
		});
	}
	constructor(issuer, setup) {
		strict(issuer, "first argument must be the Issuer Identifier, i.e. https://op.example.com");
		strict.equal(typeof issuer, "string", "Issuer Identifier must be a string");
		strict(isWebUri(issuer), "Issuer Identifier must be a valid web uri");
		const { pathname, host, protocol, search, hash, href } = new URL(issuer);
		strict(host, "Issuer Identifier must have a host component");
		strict(protocol, "Issuer Identifier must have an URI scheme component");
		strict(!search && !href.endsWith("?"), "Issuer Identifier must not have a query component");
		strict(!hash && !href.endsWith("#"), "Issuer Identifier must not have a fragment component");
		super();
		this.issuer = issuer;
		const configuration = new Configuration(setup);
		this.#int.configuration = configuration;
		if (Array.isArray(configuration.cookies.keys)) {
			if (configuration.cookies.keys.length) this.keys = configuration.cookies.keys;
		} else if (configuration.cookies.keys) this.keys = configuration.cookies.keys;
		if (configuration.features.dPoP.enabled && configuration.features.dPoP.nonceSecret !== void 0) try {
			this.#int.DPoPNonces = new ServerChallenge(configuration.features.dPoP.nonceSecret, "DPoP");
		} catch (cause) {
			throw new TypeError("features.dPoP.nonceSecret secret must be a 32-byte Buffer instance", { cause });
		}
		if (configuration.features.attestClientAuth.enabled) try {
			this.#int.AttestChallenges = new ServerChallenge(configuration.features.attestClientAuth.challengeSecret, "OAuth-Client-Attestation-PoP");
		} catch (cause) {
			throw new TypeError("features.attestClientAuth.challengeSecret secret must be a 32-byte Buffer instance", { cause });
		}
		if (configuration.features.openid4vci.enabled) try {
			this.#int.CNonceChallenges = new ServerChallenge(configuration.features.openid4vci.nonceSecret, "OpenID4VCI c_nonce");
		} catch (cause) {
			throw new TypeError("features.openid4vci.nonceSecret secret must be a 32-byte Buffer instance", { cause });
		}
		this.#int.responseModes = /* @__PURE__ */ new Map();
		this.#int.grantTypeHandlers = /* @__PURE__ */ new Map();
		this.#int.grantTypeDupes = /* @__PURE__ */ new Map();
		this.#int.grantTypeParams = /* @__PURE__ */ new Map([[void 0, /* @__PURE__ */ new Set()]]);
		this.#int.BaseModel = getBaseModel(this);
		this.#mountPath = pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
		initializeAdapter.call(this, configuration.adapter);
		initialize$1.call(this, configuration.jwks);
		delete configuration.jwks;
		this.#exec = initializeApp.call(this);
		Koa.prototype.use.call(this, this.#exec);
		initializeClients.call(this, configuration.clients);
		delete configuration.clients;
	}
	urlFor(name, opt) {
		return new URL(this.pathFor(name, opt), this.issuer).href;
	}
	registerGrantType(name, handler, params, dupes) {
		this.#int.configuration.grantTypes.add(name);
		const { grantTypeHandlers, grantTypeParams, grantTypeDupes } = this.#int;
		const grantParams = /* @__PURE__ */ new Set(["grant_type"]);
		grantTypeHandlers.set(name, handler);
		if (dupes && typeof dupes === "string") grantTypeDupes.set(name, /* @__PURE__ */ new Set([dupes]));
		else if (dupes && (Array.isArray(dupes) || dupes instanceof Set)) grantTypeDupes.set(name, new Set(dupes));
		if (params && typeof params === "string") grantParams.add(params);
		else if (params && (Array.isArray(params) || params instanceof Set)) params.forEach(Set.prototype.add.bind(grantParams));
		grantTypeParams.set(name, grantParams);
		grantParams.forEach(Set.prototype.add.bind(grantTypeParams.get(void 0)));
	}
	cookieName(type) {
		const name = this.#int.configuration.cookies.names[type];
		if (!name) throw new Error(`cookie name for type ${type} is not configured`);
		return name;
	}
	registerResponseMode(name, handler) {
		const { responseModes } = this.#int;
		if (!responseModes.has(name)) responseModes.set(name, handler.bind(this));
	}
	pathFor(name, { mountPath = this.#mountPath, ...opts } = {}) {
		const routerUrl = this.#int.router.url(name, opts);
		if (routerUrl instanceof Error) throw routerUrl;
		return [mountPath, routerUrl].join("");
	}
	async interactionResult(req, res, result, { mergeWithLastSubmission = true } = {}) {
		const interaction = await this.#getInteraction.call(this, req, res);
		if (mergeWithLastSubmission && !("error" in result)) interaction.result = {
			...interaction.lastSubmission,
			...result
		};
		else interaction.result = result;
		await interaction.save(interaction.exp - epoch_time_default());
		return interaction.returnTo;
	}
	async interactionFinished(req, res, result, { mergeWithLastSubmission = true } = {}) {
		const returnTo = await this.interactionResult(req, res, result, { mergeWithLastSubmission });
		res.statusCode = 303;
		res.setHeader("Location", returnTo);
		res.setHeader("Content-Length", "0");
		res.end();
	}
	async interactionDetails(req, res) {
		return this.#getInteraction.call(this, req, res);
	}
	async backchannelResult(request, result, { acr, amr, authTime, sessionUid, expiresWithSession, sid, rar } = {}) {
		if (typeof request === "string" && request) {
			request = await this.BackchannelAuthenticationRequest.find(request, { ignoreExpiration: true });
			if (!request) throw new Error("BackchannelAuthenticationRequest not found");
		} else if (!(request instanceof this.BackchannelAuthenticationRequest)) throw new TypeError("invalid \"request\" argument");
		const client = await this.Client.find(request.clientId);
		if (!client) throw new Error("Client not found");
		if (typeof result === "string" && result) {
			result = await this.Grant.find(result);
			if (!result) throw new Error("Grant not found");
		}
		switch (true) {
			case result instanceof this.Grant:
				if (request.clientId !== result.clientId) throw new Error("client mismatch");
				if (request.accountId !== result.accountId) throw new Error("accountId mismatch");
				Object.assign(request, {
					grantId: result.jti,
					acr,
					amr,
					authTime,
					sessionUid,
					expiresWithSession,
					sid,
					rar
				});
				break;
			case result instanceof OIDCProviderError:
				Object.assign(request, {
					error: result.error,
					error_description: result.error_description
				});
				break;
			default: throw new TypeError("invalid \"result\" argument");
		}
		await request.save();
		if (client.backchannelTokenDeliveryMode === "ping") await client.backchannelPing(request);
	}
	get OIDCContext() {
		this.#OIDCContext ||= getContext(this);
		return this.#OIDCContext;
	}
	get Claims() {
		this.#Claims ||= getClaims(this);
		return this.#Claims;
	}
	get BaseToken() {
		this.#BaseToken ||= getBaseToken(this);
		return this.#BaseToken;
	}
	get IdToken() {
		this.#IdToken ||= getIdToken(this);
		return this.#IdToken;
	}
	get Client() {
		this.#Client ||= getClient(this);
		return this.#Client;
	}
	get Grant() {
		this.#Grant ||= grant_default(this);
		return this.#Grant;
	}
	get Session() {
		this.#Session ||= session_default(this);
		return this.#Session;
	}
	get Interaction() {
		this.#Interaction ||= interaction_default(this);
		return this.#Interaction;
	}
	get AccessToken() {
		this.#AccessToken ||= access_token_default(this);
		return this.#AccessToken;
	}
	get AuthorizationCode() {
		this.#AuthorizationCode ||= authorization_code_default(this);
		return this.#AuthorizationCode;
	}
	get RefreshToken() {
		this.#RefreshToken ||= refresh_token_default(this);
		return this.#RefreshToken;
	}
	get ClientCredentials() {
		this.#ClientCredentials ||= client_credentials_default(this);
		return this.#ClientCredentials;
	}
	get InitialAccessToken() {
		this.#InitialAccessToken ||= initial_access_token_default(this);
		return this.#InitialAccessToken;
	}
	get RegistrationAccessToken() {
		this.#RegistrationAccessToken ||= registration_access_token_default(this);
		return this.#RegistrationAccessToken;
	}
	get DeviceCode() {
		this.#DeviceCode ||= device_code_default(this);
		return this.#DeviceCode;
	}
	get BackchannelAuthenticationRequest() {
		this.#BackchannelAuthenticationRequest ||= backchannel_authentication_request_default(this);
		return this.#BackchannelAuthenticationRequest;
	}
	get PreAuthorizedCode() {
		this.#PreAuthorizedCode ||= pre_authorized_code_default(this);
		return this.#PreAuthorizedCode;
	}
	get PushedAuthorizationRequest() {
		this.#PushedAuthorizationRequest ||= pushed_authorization_request_default(this);
		return this.#PushedAuthorizationRequest;
	}
	get ReplayDetection() {
		this.#ReplayDetection ||= replay_detection_default(this);
		return this.#ReplayDetection;
	}
	get ResourceServer() {
		return ResourceServer;
	}
	async #getInteraction(req, res) {
		const id = this.createContext(req, res).cookies.get(this.cookieName("interaction"), this.#int.configuration.cookies.short);
		if (!id) throw new SessionNotFound("interaction session id cookie not found");
		const interaction = await this.Interaction.find(id);
		if (!interaction) throw new SessionNotFound("interaction session not found");
		if (interaction.session?.uid) {
			const session = await this.Session.findByUid(interaction.session.uid);
			if (!session) throw new SessionNotFound("session not found");
			if (interaction.session.accountId !== session.accountId) throw new SessionNotFound("session principal changed");
		}
		return interaction;
	}
	use(fn) {
		Koa.prototype.use.call(this, fn);
		this.middleware.splice(this.middleware.indexOf(this.#exec), 0, this.middleware.pop());
		return this;
	}
	get [Symbol.toStringTag]() {
		return "Provider";
	}
	toJSON() {
		return { issuer: this.issuer };
	}
	inspect() {
		return `[${this[Symbol.toStringTag]} ${this.issuer}]`;
	}
	static get ctx() {
		return als_default.getStore();
	}
};
Object.defineProperty(Provider.prototype, "app", { get: util.deprecate(function app() {
	return this;
}, ".app getter is deprecated. The Provider instance is now the Koa app itself") });

// node_modules/oidc-provider/lib/index.js
const deno = typeof Deno !== "undefined";
const bun = typeof Bun !== "undefined";
const workerd = typeof navigator !== "undefined" && navigator.userAgent === "Cloudflare-Workers";
const minimal = "Jod";
const release = globalThis.process?.release;
if (deno || bun || workerd || !release?.lts || release.lts.charCodeAt(0) < minimal.charCodeAt(0)) warn("Unsupported runtime. Use Node.js v22.x LTS, or a later LTS release.");
var lib_default = Provider;

// src/oauth/library-time.ts
/**
* The library reads this machine's clock by itself, and another node may read another. Records are therefore kept in
* the service's time: their times are moved by the difference when they are written and moved back when they are read.
* So a code or a token lives as long as it should on every node, also when a machine's clock is set meanwhile.
*/
const TIMES = [
	"iat",
	"exp",
	"iiat",
	"authTime",
	"loginTs"
];
/** By how much the library's time is behind the service's, in whole seconds as the library counts. */
function libraryBehindSeconds(clock) {
	return Math.round((clock.now() - systemClock.now()) / 1e3);
}
function toServiceTime(payload, clock) {
	return moved(payload, libraryBehindSeconds(clock));
}
function toLibraryTime(payload, clock) {
	return moved(payload, -libraryBehindSeconds(clock));
}
function moved(payload, seconds) {
	if (seconds === 0) return payload;
	const result = { ...payload };
	for (const name of TIMES) {
		const time = payload[name];
		if (typeof time === "number") result[name] = time + seconds;
	}
	if (payload.kind === "PushedAuthorizationRequest" && typeof payload.request === "string") result.request = movedRequest(payload.request, seconds);
	return result;
}
/** What a client pushed is kept as a token without a signature, with times of the library's own. */
function movedRequest(token, seconds) {
	const [header = "", body = "", signature] = token.split(".");
	if (signature !== "") return token;
	const claims = JSON.parse(Buffer.from(body, "base64url").toString());
	for (const name of [
		"iat",
		"nbf",
		"exp"
	]) {
		const time = claims[name];
		if (typeof time === "number") claims[name] = time + seconds;
	}
	return `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.`;
}

// src/oauth/adapter.ts
/** Their payloads repeat a credential (the library looks them up by something else, or passes one along in them). */
const SEALED_KINDS = /* @__PURE__ */ new Set([
	"Session",
	"Interaction",
	"DeviceCode"
]);
const SEALED_RECORDS = {
	about: "sign-ins and device codes",
	table: "oauth_record",
	key: ["digest", "kind"],
	column: "payload",
	where: `kind in (${[...SEALED_KINDS].map((kind) => `'${kind}'`).join(", ")})`,
	async reseal({ digest, payload }, ring) {
		const seal = ring.seal(OAUTH_PURPOSE);
		return seal.seal(await seal.open(String(payload), String(digest)), String(digest));
	}
};
/** Requests are bounded before they come here; whatever else may grow, a row does not grow beyond this. */
const PAYLOAD_CHARACTERS_MAX = 65536;
/** How long a row is kept after its end: a late replay still revokes, a late poll still learns that the code expired. */
function keptMs(kind, personId) {
	if (kind === "AuthorizationCode" || kind === "RefreshToken") return DAY_MS;
	if (kind === "DeviceCode") return personId === void 0 ? 10 * MINUTE_MS : DAY_MS;
	if (kind === "Grant") return HOUR_MS;
	return TOKEN_KEPT_MS;
}
/** Longer than the clocks of two nodes differ. */
const TOKEN_KEPT_MS = MINUTE_MS;
/** How long the library still finds an ended grant: longer than an exchange under way takes. */
const ENDED_GRANT_FOUND_MS = 1e4;
const TOKEN_KINDS = /* @__PURE__ */ new Set(["AccessToken", "ClientCredentials"]);
/** Whose it is; a sign-in or consent under way belongs to whoever signed in for it, so that it ends with their rights. */
function personOf({ accountId, session, result, lastSubmission }) {
	return accountId ?? session?.accountId ?? result?.login?.accountId ?? lastSubmission?.login?.accountId;
}
/** Whether this client is exchanging something right now. A stranger who found an old code must not end its grant. */
function isExchangedBy(clientId) {
	const request = lib_default.ctx?.oidc;
	return request?.route === "token" && request.client?.clientId === clientId;
}
function createRecordAdapter(kind, store) {
	const { clock, sealer } = store;
	const query = (text, params) => store.sql.query(text, params);
	function pack(id, digest, payload) {
		if (SEALED_KINDS.has(kind)) return sealer.seal(JSON.stringify({
			...payload,
			jti: id
		}), digest);
		const { jti: _, ...rest } = payload;
		return JSON.stringify(rest);
	}
	async function unpack(row, digest, id) {
		const payload = JSON.parse(SEALED_KINDS.has(kind) ? await sealer.open(row.payload, digest) : row.payload);
		return {
			...toLibraryTime(payload, clock),
			...id === void 0 ? {} : { jti: id },
			...row.consumed_at === null ? {} : { consumed: Math.floor(row.consumed_at / 1e3) },
			...row.claimed_at === null ? {} : { inFlight: true }
		};
	}
	async function endGrant(grantDigest) {
		if (grantDigest === null) return;
		if (await endGrants(store.sql, { grantDigest }, clock.now()) > 0) store.onRevoked({ grant: grantDigest });
	}
	return {
		async upsert(id, given, expiresIn) {
			const payload = toServiceTime(given, clock);
			const nowMs = clock.now();
			const digest = sha256Hex(id);
			const expiresAtMs = payload.exp === void 0 ? nowMs + (expiresIn ?? 0) * 1e3 : payload.exp * 1e3;
			const { consumed: _, ...kept } = payload;
			const grantDigest = payload.grantId === void 0 ? null : sha256Hex(payload.grantId);
			const packed = pack(id, digest, kept);
			if (packed.length > PAYLOAD_CHARACTERS_MAX) throw new InvalidRequest("the request is too large");
			const personId = personOf(payload);
			if (TOKEN_KINDS.has(kind)) {
				await store.insertToken({
					digest,
					kind,
					payload: packed,
					clientId: payload.clientId ?? "",
					personId: personId ?? null,
					grantDigest,
					scope: payload.scope ?? "",
					issuedAtMs: nowMs,
					expiresAtMs
				});
				return;
			}
			const begunBy = store.beginnings.beginnerOf(kind, personId);
			const write = () => query(`insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, scope, uid_digest,
           user_code_digest, issued_at, expires_at, purge_at, begun_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         on conflict (digest, kind) do update set payload = excluded.payload, client_id = excluded.client_id,
           person_id = excluded.person_id, grant_digest = excluded.grant_digest, scope = excluded.scope,
           uid_digest = excluded.uid_digest, expires_at = excluded.expires_at, purge_at = excluded.purge_at,
           begun_by = case when excluded.person_id is null then oauth_record.begun_by end
         ${kind === "ReplayDetection" ? "where oauth_record.expires_at <= excluded.issued_at" : ""}
         returning digest`, [
				digest,
				kind,
				packed,
				payload.clientId ?? null,
				personId ?? null,
				grantDigest,
				payload.scope ?? null,
				payload.uid === void 0 ? null : sha256Hex(payload.uid),
				payload.userCode === void 0 ? null : sha256Hex(payload.userCode),
				nowMs,
				expiresAtMs,
				expiresAtMs + keptMs(kind, personId),
				begunBy
			]);
			if ((begunBy === null ? await write() : await store.beginnings.keep({
				begunBy,
				digest,
				kind
			}, write)).length === 0) throw new InvalidClientAuth("client assertion tokens must only be used once");
			if (typeof payload.parJti === "string") await query(`update oauth_record set purge_at = case when purge_at < $2 then $2 else purge_at end
             ${personId === void 0 ? "" : ", begun_by = null"}
           where digest = $1 and kind = 'PushedAuthorizationRequest'`, [sha256Hex(payload.parJti), expiresAtMs + TOKEN_KEPT_MS]);
		},
		async find(id) {
			const digest = sha256Hex(id);
			const row = (await query(`select payload, grant_digest, expires_at, consumed_at, claimed_at from oauth_record
         where digest = $1 and kind = $2`, [digest, kind]))[0];
			if (!row) return void 0;
			const payload = await unpack(row, digest, id);
			if (row.consumed_at !== null && row.expires_at <= clock.now() && isExchangedBy(payload.clientId)) await endGrant(row.grant_digest);
			if (kind === "Grant" && row.consumed_at !== null && row.consumed_at + ENDED_GRANT_FOUND_MS <= clock.now()) return;
			return payload;
		},
		findByUid: (uid) => findBy("uid_digest", uid),
		findByUserCode: (userCode) => findBy("user_code_digest", userCode),
		async consume(id) {
			const digest = sha256Hex(id);
			if ((await query(`update oauth_record set consumed_at = $3, begun_by = null
         where digest = $1 and kind = $2 and consumed_at is null returning digest`, [
				digest,
				kind,
				clock.now()
			])).length > 0) return;
			await endGrant((await query("select grant_digest from oauth_record where digest = $1 and kind = $2", [digest, kind]))[0]?.grant_digest ?? null);
			throw new InvalidGrant$1("already used");
		},
		async destroy(id) {
			const digest = sha256Hex(id);
			if (kind === "Grant") {
				await endGrant(digest);
				return;
			}
			await query("delete from oauth_record where digest = $1 and kind = $2", [digest, kind]);
			if (TOKEN_KINDS.has(kind)) store.onRevoked({ digest });
		},
		async revokeByGrantId(grantId) {
			const grant = sha256Hex(grantId);
			await query("delete from oauth_record where grant_digest = $1 and kind = $2", [grant, kind]);
			if (TOKEN_KINDS.has(kind)) store.onRevoked({ grant });
		}
	};
	async function findBy(column, value) {
		const rows = await query(`select digest, payload, grant_digest, expires_at, consumed_at, claimed_at from oauth_record
       where ${column} = $1 and kind = $2`, [sha256Hex(value), kind]);
		return rows[0] && unpack(rows[0], rows[0].digest, void 0);
	}
}

export { createFeedStore as $, WITHIN_PAGE as $t, CLIENT_KIND_NAMES as A, requirePersonByEmail as At, isClientSecret as B, revokeKey as Bt, isOperator as C, checkedEmail as Ct, resetPassword as D, listPeople as Dt, enablePerson as E, findPersonByEmail as Et, createClient$1 as F, findKey as Ft, OAUTH_CHANNEL as G, createAnchorJob as Gt, requireClient as H, touchKeys as Ht, deleteClient as I, findKeyCaller as It, announcePersonChange as J, anchorLine as Jt, announceClientChange as K, createJobRunner as Kt, editable as L, keyState as Lt, COMMAND_LINE_CLIENT as M, GRACE_HOURS_MAX as Mt, authenticationOf as N, changeKey as Nt, CLIENT_AUTHENTICATIONS as O, normaliseSignInEmail as Ot, changeClient as P, createKey as Pt, syncFeeds as Q, SIGNED_ANCHORS as Qt, findClient as R, listKeys as Rt, verifyPassword as S, setRole as St, disablePerson as T, findPerson as Tt, rotateClientSecret as U, isWellFormedApiKey as Ut, listClients as V, rotateKey as Vt, KEYS_CHANGED as W, anchorNow as Wt, compileAndPublish as X, lastNumberOf as Xt, FEEDS_JOB as Y, appendRestore as Yt, feedRefreshJob as Z, readAnchorsFile as Zt, PURGE_BATCH as _, findMember as _t, lib_default as a, lastAnchor as an, isOn as at, newPassword as b, removeMember as bt, InvalidScope as c, readAnchors as cn, arrangeOrganisation as ct, questionsAbout as d, checkoutState as dt, chainHolders as en, openBundled as et, createBootstrapJob as f, claimCheckout as ft, writeFacts as g, changeRole as gt, readFacts as h, admit as ht, libraryBehindSeconds as i, isSigned as in, snapshotFile as it, CLIENT_STATES as j, bindGrant as jt, CLIENT_KINDS as k, people as kt, OIDCProviderError as l, readHeadsOf as ln, beginCheckout as lt, purgeFacts as m, addMember as mt, TOKEN_KEPT_MS as n, hashOfHead as nn, publishedSnapshots as nt, InvalidClientAuth as o, pageOf as on, missingKey as ot, readBootstrap as p, findCheckout as pt, announceKeyChange as q, jobLock as qt, createRecordAdapter as r, hashOfHeads as rn, rollbackSnapshot as rt, InvalidRequest as s, readAnchorHeads as sn, findOrganisations as st, SEALED_RECORDS as t, hashOfAnchor as tn, openSnapshotHolder as tt, createFetcher as u, requireSignUp as ut, deleteInSteps as v, listMembers as vt, setOperator as w, createPerson as wt, passwordProblem as x, requireMember as xt, hashPassword as y, organisationsOf as yt, findClientInState as z, requireKey as zt };