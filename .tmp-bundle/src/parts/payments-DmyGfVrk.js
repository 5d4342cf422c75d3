import { i as changeIn } from "./sql-DF74iSw8.js";
import { A as flag, D as previousPeriod, F as text, H as rowsToInsert, M as json, N as named, O as link, P as orNull, R as newId, T as periodEndMs, V as paddedList, b as post, c as planOf, f as writeAccount, g as emptyAccount, h as changeMonthlyCredit, i as entries$2, j as integer, k as defineTable, m as accountTime, o as lockAccount, s as noAccount, t as accounts, v as movePlan, w as nextPeriod, x as rollPeriod } from "./accounts-db1MVW_U.js";
import { r as runStatements } from "./routine-BXZ82vhO.js";
import { a as periodOf, t as DAY_MS } from "./clock-Cypo2bh8.js";
import { n as Problem, r as invalidField } from "./errors-BqwugPUl.js";
import { setImmediate } from "node:timers/promises";

// src/access/scopes.ts
/**
* The scope table: what each scope grants, in words a person can consent to, and in which flows it may be asked
* for. Client registration, token requests, API keys, the consent page, discovery and the docs derive from it.
*/
const SCOPES = {
	"risk:payment": {
		words: "Check email addresses before payments",
		clientCredentials: true,
		user: true,
		apiKey: true
	},
	"risk:supply-chain": {
		words: "Check the domains of suppliers",
		clientCredentials: true,
		user: true,
		apiKey: true
	},
	"risk:infrastructure": {
		words: "Check IP addresses",
		clientCredentials: true,
		user: true,
		apiKey: true
	},
	"risk:bulk": {
		words: "Check whole lists at a time",
		clientCredentials: true,
		user: true,
		apiKey: true
	},
	"billing:read": {
		words: "See credit, usage and statements",
		clientCredentials: true,
		user: false,
		apiKey: true
	},
	"billing:write": {
		words: "Buy credit and change the plan",
		clientCredentials: true,
		user: false,
		apiKey: true
	},
	"organisation:read": {
		words: "See members, keys and applications",
		clientCredentials: true,
		user: false,
		apiKey: true
	},
	"organisation:write": {
		words: "Change members, keys and applications",
		clientCredentials: true,
		user: false,
		apiKey: true
	},
	openid: {
		words: "Know who you are",
		clientCredentials: false,
		user: true,
		apiKey: false
	},
	profile: {
		words: "See your name",
		clientCredentials: false,
		user: true,
		apiKey: false
	},
	email: {
		words: "See your email address",
		clientCredentials: false,
		user: true,
		apiKey: false
	},
	offline_access: {
		words: "Stay connected while you are away",
		clientCredentials: false,
		user: true,
		apiKey: false
	}
};
const SCOPE_NAMES = Object.keys(SCOPES);
/** Whoever has one of these may check, and know what a check costs and which organisation pays for it. */
const RISK_SCOPES = SCOPE_NAMES.filter((scope) => scope.startsWith("risk:"));
/** What an API key may do unless it was made for less or more. */
const DEFAULT_KEY_SCOPES = RISK_SCOPES;
function isScope(name) {
	return Object.hasOwn(SCOPES, name);
}
/** Scopes an API key can have. */
const KEY_SCOPE_NAMES = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey);

// src/access/actor.ts
const ACTOR_KINDS = [
	"api_key",
	"application",
	"person",
	"operator",
	"system"
];
const ALL_SCOPES = new Set(SCOPE_NAMES);
const VERB = {
	id: "operator",
	ip: null,
	requestId: null
};
/** Whoever runs the server, acting in an organisation: by a verb, or as `from` on the operator's pages. */
function operatorIn(organisationId, from = VERB) {
	return {
		kind: "operator",
		organisationId,
		scopes: ALL_SCOPES,
		role: void 0,
		...from
	};
}
/** The program itself: month ends, payments that arrived. */
function systemIn(organisationId, from = {}) {
	return {
		kind: "system",
		id: from.id ?? "system",
		organisationId,
		scopes: ALL_SCOPES,
		role: void 0,
		ip: from.ip ?? null,
		requestId: from.requestId ?? null
	};
}
/** Somebody who is about to join, or signs up: they may do nothing yet. */
function newcomerIn(organisationId, from) {
	return {
		kind: "person",
		organisationId,
		scopes: /* @__PURE__ */ new Set(),
		role: void 0,
		...from
	};
}
/** The operator and the program itself are bound by the other rules, not by scopes. */
function isUnlimited(actor) {
	return actor.kind === "operator" || actor.kind === "system";
}
/** Who stands behind a request. */
function actorOf(request) {
	const { caller } = request;
	if (!caller) throw new Error("a change without a caller cannot be audited");
	return {
		kind: caller.method === "api_key" ? "api_key" : caller.method === "bearer" ? "application" : "person",
		id: caller.credentialId,
		organisationId: caller.organisationId,
		scopes: caller.scopes,
		role: caller.role,
		ip: request.ip,
		requestId: request.id
	};
}

// src/identity/audit-chain.ts
/** The audit log as a chain of hashes for each organisation: how entries are written, and read again to prove it. */
const columns = {
	id: text(),
	organisation_id: text(),
	created_at: integer(),
	actor_kind: text(),
	actor_id: text(),
	actor_name: orNull(text()),
	action: text(),
	target_id: orNull(text()),
	detail: text(),
	ip: orNull(text()),
	request_id: orNull(text())
};
const entries$1 = defineTable({
	name: "audit_entry",
	key: ["id"],
	columns: {
		...columns,
		seq: orNull(integer()),
		hash: orNull(text())
	}
});
const auditHeads = defineTable({
	name: "audit_chain",
	key: ["organisation_id"],
	columns: {
		organisation_id: text(),
		seq: integer(),
		hash: orNull(text())
	}
});
const HASHED = Object.keys(columns);
/** Every field but the hash, in the order in which they are hashed: another order would be another hash. */
function hashedAuditFields(entry, seq) {
	return [seq, ...HASHED.map((field) => entry[field])];
}
/** Numbers and hashes entries, and writes them. The last thing a transaction does: see Tx.lastly. */
async function writeAudit(tx, added) {
	const organisationIds = [...new Set(added.map((entry) => entry.organisation_id))].sort();
	const heads = new Map((await lockHeads(tx, organisationIds)).map((head) => [head.organisation_id, head]));
	const chained = added.map((entry) => {
		const { organisation_id } = entry;
		const last = heads.get(organisation_id);
		const seq = (last?.seq ?? 0) + 1;
		const hash = link(last?.hash ?? "", hashedAuditFields(entry, seq));
		heads.set(organisation_id, {
			organisation_id,
			seq,
			hash
		});
		return {
			...entry,
			seq,
			hash
		};
	});
	await runStatements(tx, [...entries$1.toInsert(tx, chained), ...auditHeads.toUpsert(tx, [...heads.values()])]);
}
/** Locks the heads in the order of their ids, and makes those that are missing. */
async function lockHeads(tx, organisationIds) {
	const statements = rowsToInsert(tx, {
		table: "audit_chain",
		columns: [{
			name: "organisation_id",
			type: "text",
			of: (id) => id
		}, {
			name: "seq",
			type: "bigint",
			of: () => 0
		}],
		rows: organisationIds,
		onConflict: "on conflict (organisation_id) do update set seq = audit_chain.seq returning organisation_id, seq, hash"
	});
	return (await Promise.all(statements.map(({ text, params }) => tx.query(text, params)))).flat().map(auditHeads.fromRow);
}
/** Numbered entries of one organisation after `afterSeq`, oldest first. */
async function readAuditChain(sql, { organisationId, afterSeq, limit }) {
	return (await sql.query(`select ${entries$1.columns()} from audit_entry where organisation_id = $1 and seq > $2 order by seq limit $3`, [
		organisationId,
		afterSeq,
		limit
	])).map(entries$1.fromRow);
}
const OLDER_PER_PAGE = 500;
/**
* How many entries have no number, and a hash over them, in an order that every database has. Every page is followed by
* a turn for whatever else waits in this thread; throws there when the signal says to stop.
*/
async function hashOlderAudit(sql, organisationId, signal) {
	const id = sql.engine === "postgres" ? "id collate \"C\"" : "id collate binary";
	let count = 0;
	let hash = "";
	let after = {
		createdAtMs: Number.MIN_SAFE_INTEGER,
		id: ""
	};
	for (;;) {
		const rows = await sql.query(`select ${entries$1.columns()} from audit_entry where organisation_id = $1 and seq is null and created_at >= $2
       and (created_at > $2 or ${id} > $3) order by created_at, ${id} limit ${OLDER_PER_PAGE}`, [
			organisationId,
			after.createdAtMs,
			after.id
		]);
		for (const entry of rows.map(entries$1.fromRow)) {
			hash = link(hash, hashedAuditFields(entry, null));
			count++;
			after = {
				createdAtMs: entry.created_at,
				id: entry.id
			};
		}
		await setImmediate(void 0, { signal });
		if (rows.length < OLDER_PER_PAGE) return {
			count,
			hash
		};
	}
}

// src/identity/audit.ts
/**
* The audit log: every change to an organisation's things, by whom, when and from where. Append-only, and a chain of
* hashes for each organisation; what is of no organisation has a chain of its own, under the empty id.
*/
const AUDIT_ACTIONS = {
	"ledger.restore": "The operator accepted that the database was restored from a backup",
	"oauth.rotate_keys": "The operator made a new key that signs ID tokens",
	"secret.rotate": "The operator began to replace the secret of the server",
	"secret.finish": "The operator ended the former secret of the server",
	"organisation.create": "The organisation was made",
	"organisation.update": "The organisation was renamed",
	"organisation.disable": "The operator disabled the organisation",
	"organisation.enable": "The operator enabled the organisation again",
	"organisation.deactivate": "The operator ended the subscription",
	"organisation.activate": "The operator took back that the subscription ended",
	"organisation.approve": "The operator approved the organisation",
	"member.join": "Somebody became a member",
	"member.update": "A member got another role",
	"member.remove": "A member was removed or left",
	"person.disable": "A member was stopped from signing in",
	"person.enable": "A member may sign in again",
	"person.password": "A member got a new password",
	"person.operator": "A member may, or may no longer, look after every organisation",
	"grant.create": "A member allowed an application to act for them",
	"invitation.create": "An invitation was made",
	"invitation.revoke": "An invitation was withdrawn",
	"key.create": "An API key was made",
	"key.update": "An API key was changed",
	"key.rotate": "An API key was replaced",
	"key.revoke": "An API key was ended",
	"client.create": "An application was registered",
	"client.update": "An application was changed",
	"client.rotate_secret": "An application got a new secret",
	"client.delete": "An application was deleted",
	"checkout.complete": "The organisation subscribed for the first time",
	"subscription.change": "The plan was changed",
	"subscription.end": "The subscription was ended",
	"subscription.resume": "The subscription was taken up again",
	"subscription.given": "A plan that was paid for began",
	"credit.add": "The operator added credit",
	"plan.set": "The operator set the plan",
	"limit.set": "The limit of overage was set",
	"details.update": "The details on invoices were changed",
	"payment.credited": "A payment that settled nothing became credit",
	"payment.unmatched": "A payment did not match its invoice",
	"payment.refund": "A payment went back to the payer",
	"payment.dispute": "A payment was disputed, or the dispute ended",
	"top_up.create": "A top-up was asked for",
	"alert.create": "A billing alert was set",
	"alert.delete": "A billing alert was removed",
	"invoice.issue": "An invoice was issued",
	"invoice.settle": "An invoice was settled",
	"invoice.void": "An invoice was cancelled",
	"account.inactive": "The account became inactive",
	"account.active": "The account became active again"
};
const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS);
const familyOf = (action) => action.slice(0, action.indexOf(".") + 1);
const AUDIT_FAMILIES = [...new Set(AUDIT_ACTION_NAMES.map(familyOf))];
const entries = defineTable({
	name: "audit_entry",
	key: ["id"],
	columns: {
		id: text(),
		organisation_id: text(),
		created_at: integer(),
		actor_kind: text(),
		actor_id: text(),
		actor_name: orNull(text()),
		action: text(),
		target_id: orNull(text()),
		detail: json(),
		ip: orNull(text()),
		request_id: orNull(text())
	}
});
const NAME_TABLES = {
	api_key: "api_key",
	application: "oauth_client",
	person: "person",
	operator: "person"
};
/** Records a change inside its transaction: the two exist together or not at all. */
async function audit(tx, actor, action, targetId, detail = {}) {
	const table = NAME_TABLES[actor.kind];
	const names = table ? await tx.query(`select name from ${table} where id = $1`, [actor.id]) : [];
	tx.lastly(writeAudit, {
		id: newId("aud"),
		organisation_id: actor.organisationId,
		created_at: tx.nowMs,
		actor_kind: actor.kind,
		actor_id: actor.id,
		actor_name: names[0]?.name ?? null,
		action,
		target_id: targetId,
		detail: JSON.stringify(detail),
		ip: actor.ip,
		request_id: actor.requestId
	});
}
/** Newest first; without an organisation, of all. */
function readAudit(sql, query) {
	const { organisationId, action, actor, ...page } = query;
	const kind = ACTOR_KINDS.find((one) => one === actor);
	const family = AUDIT_ACTION_NAMES.filter((name) => familyOf(name) === action);
	const where = {
		...organisationId === void 0 ? {} : { organisation_id: organisationId },
		...actor === void 0 ? {} : kind ? { actor_kind: kind } : { actor_id: actor },
		...action === void 0 || family.length > 0 ? {} : { action }
	};
	return entries.page(sql, where, {
		...page,
		newestFirst: true,
		...family.length > 0 ? { among: { action: family } } : {}
	});
}

// src/billing/invoices/terms.ts
const terms = defineTable({
	name: "billing_terms",
	key: ["organisationId"],
	columns: {
		organisationId: named("organisation_id", text()),
		name: named("customer_name", orNull(text())),
		address: named("customer_address", orNull(text())),
		taxId: named("customer_tax_id", orNull(text())),
		ownerOverageLimitPence: named("owner_overage_limit_pence", orNull(integer())),
		operatorOverageLimitPence: named("operator_overage_limit_pence", orNull(integer())),
		updatedAtMs: named("updated_at", integer())
	}
});
async function readTerms(sql, organisationId) {
	return await terms.find(sql, { organisationId }) ?? {
		organisationId,
		name: null,
		address: null,
		taxId: null,
		ownerOverageLimitPence: null,
		operatorOverageLimitPence: null,
		updatedAtMs: 0
	};
}
async function writeTerms(tx, changed) {
	const written = {
		...changed,
		updatedAtMs: tx.nowMs
	};
	await terms.upsert(tx, [written]);
	return written;
}
async function customerOf(sql, organisationId) {
	const { name, address, taxId } = await readTerms(sql, organisationId);
	const known = await sql.query("select name from organisation where id = $1", [organisationId]);
	return {
		name: name ?? known[0]?.name ?? "",
		address: address ?? "",
		tax_id: taxId
	};
}
/** The details on invoices: on those to come, and on those still open. Paid ones stay as they were. */
async function setDetails(tx, actor, details) {
	const { organisationId } = actor;
	await lockAccount(tx, organisationId);
	const after = await writeTerms(tx, {
		...await readTerms(tx, organisationId),
		...details
	});
	const customer = await customerOf(tx, organisationId);
	await tx.query(`update invoice set customer = $2 where organisation_id = $1 and state = 'open'`, [organisationId, JSON.stringify(customer)]);
	await audit(tx, actor, "details.update", organisationId, { ...customer });
	return after;
}

// src/billing/invoices/invoices.ts
/** Invoices: what organisations are to pay. What follows from a payment stands in payments and subscription. */
const DUE_DAYS = 14;
const dueAtMs = (issuedAtMs) => issuedAtMs + DUE_DAYS * DAY_MS;
const INVOICE_KINDS = ["subscription", "top_up"];
const INVOICE_STATES = [
	"open",
	"paid",
	"void"
];
const LINE_KINDS = [
	"plan",
	"upgrade",
	"overage",
	"top_up"
];
const invoices = defineTable({
	name: "invoice",
	key: ["id"],
	time: "issued_at",
	columns: {
		id: text(),
		organisation_id: text(),
		number: integer(),
		kind: text(),
		state: text(),
		in_advance: flag(),
		total_pence: integer(),
		overage_pence: integer(),
		refunded_pence: integer(),
		customer: json(),
		issued_at: integer(),
		due_at: integer(),
		settled_at: orNull(integer()),
		payment_reference: orNull(text()),
		tried_at: orNull(integer())
	}
});
const lineRows = defineTable({
	name: "invoice_line",
	key: ["invoice_id", "position"],
	columns: {
		invoice_id: text(),
		position: integer(),
		kind: text(),
		month: text(),
		plan_id: orNull(text()),
		plan_price_pence: orNull(integer()),
		description: text(),
		amount_pence: integer()
	}
});
async function withLines(sql, rows) {
	if (rows.length === 0) return [];
	const { marks, values } = paddedList(rows.map(({ id }) => id), 1);
	const found = await sql.query(`select ${lineRows.columns()} from invoice_line where invoice_id in (${marks}) order by invoice_id, position`, values);
	const byInvoice = Map.groupBy(found.map(lineRows.fromRow), (line) => line.invoice_id);
	return rows.map((row) => ({
		...row,
		lines: (byInvoice.get(row.id) ?? []).map(({ invoice_id: _, position: __, ...line }) => line)
	}));
}
/** Under the account's lock. Nothing to pay makes no invoice. */
async function issueInvoice(tx, input) {
	const lines = input.lines.filter((line) => line.amount_pence > 0);
	if (lines.length === 0) return void 0;
	const id = newId(input.kind === "top_up" ? "top" : "bil");
	const overage = lines.filter((line) => line.kind === "overage");
	const row = await invoices.insert(tx, {
		id,
		organisation_id: input.organisationId,
		number: await nextNumber(tx),
		kind: input.kind,
		state: "open",
		in_advance: input.inAdvance,
		total_pence: sum(lines),
		overage_pence: sum(overage),
		refunded_pence: 0,
		customer: await customerOf(tx, input.organisationId),
		issued_at: input.issuedAtMs,
		due_at: dueAtMs(input.issuedAtMs),
		settled_at: null,
		payment_reference: null,
		tried_at: null
	});
	await lineRows.upsert(tx, lines.map((line, position) => ({
		...line,
		invoice_id: id,
		position
	})));
	return {
		...row,
		lines
	};
}
const sum = (lines) => lines.reduce((total, line) => total + line.amount_pence, 0);
/** The row is locked until the commit, so that the series has no gap and no twin. */
async function nextNumber(tx) {
	return (await tx.query(`update invoice_series set last_number = last_number + 1 where name = 'invoice' returning last_number`))[0].last_number;
}
/** Writes an invoice back; `month` moves its lines to another month. */
async function updateInvoice(tx, invoice, month) {
	const { lines, ...row } = invoice;
	const written = await invoices.update(tx, row);
	if (month === void 0) return {
		...written,
		lines
	};
	const moved = lines.map((line) => ({
		...line,
		month
	}));
	await lineRows.upsert(tx, moved.map((line, position) => ({
		...line,
		invoice_id: row.id,
		position
	})));
	return {
		...written,
		lines: moved
	};
}
async function findInvoice(sql, id) {
	const row = await invoices.find(sql, { id });
	return row && (await withLines(sql, [row]))[0];
}
async function requireInvoice(sql, id, organisationId) {
	const invoice = await findInvoice(sql, id);
	if (invoice && (organisationId === void 0 || invoice.organisation_id === organisationId)) return invoice;
	throw new Problem("not_found", { detail: `There is no invoice ${id}.` });
}
/** What is owed first, then the plan that waits, then top-ups; of each the earliest due first. */
async function openInvoices(sql, organisationId) {
	const open = {
		organisation_id: organisationId,
		state: "open"
	};
	return withLines(sql, await invoices.list(sql, open, {
		order: "in_advance, kind, due_at, number",
		limit: 1e3
	}));
}
function countOpenTopUps(sql, organisationId) {
	return invoices.count(sql, {
		organisation_id: organisationId,
		state: "open",
		kind: "top_up"
	});
}
/** Newest first. */
async function listInvoices(sql, query) {
	const { organisationId, state, kind, from, limit } = query;
	const where = {
		...organisationId === void 0 ? {} : { organisation_id: organisationId },
		...state === void 0 ? {} : { state },
		...kind === void 0 ? {} : { kind }
	};
	const page = await invoices.page(sql, where, {
		from,
		limit,
		newestFirst: true
	});
	return {
		rows: await withLines(sql, page.rows),
		next: page.next
	};
}
async function paidFor(sql, organisationId, month) {
	const kept = "i.refunded_pence < i.total_pence - i.overage_pence";
	const covers = `l.month = $2 and ${kept} and (i.state = 'paid' or i.in_advance = 0)`;
	const rows = await sql.query(`select l.plan_id, cast(coalesce(sum(case when ${covers} then l.amount_pence else 0 end), 0) as bigint) as covered,
       max(case when ${covers} then l.plan_price_pence end) as agreed,
       max(case when i.state = 'paid' and ${kept} then 1 else 0 end) as paid
     from invoice i join invoice_line l on l.invoice_id = i.id
     where i.organisation_id = $1 and i.kind = 'subscription' and l.kind in ('plan', 'upgrade') group by l.plan_id`, [organisationId, month]);
	const agreed = rows.flatMap(({ plan_id: planId, agreed: pence }) => planId === null || pence === null ? [] : [[planId, pence]]);
	return {
		coveredPence: rows.reduce((total, row) => total + row.covered, 0),
		agreedPence: new Map(agreed),
		everPaid: rows.some((row) => row.paid === 1)
	};
}
/** The price of a plan for a month that may be invoiced already. */
function priceOf(plan, { agreedPence }) {
	return agreedPence.get(plan.id) ?? plan.monthly_price_pence;
}
/** All overage that ever stood on an invoice, cancelled ones included: cancelling forgives it. */
async function invoicedOverage(sql, organisationId) {
	return (await sql.query(`select cast(coalesce(sum(overage_pence), 0) as bigint) as pence from invoice where organisation_id = $1`, [organisationId]))[0]?.pence ?? 0;
}
/** What is owed by those with a saved card that was not tried lately. A plan that waits is paid when its buyer pays it. */
async function findCollectable(sql, input) {
	const rows = await sql.query(`select ${invoices.columns("i")}, s.payer, s.payment_method
     from invoice i join subscription s on s.organisation_id = i.organisation_id
     where i.state = 'open' and i.in_advance = 0 and s.provider = $1 and s.payer is not null
       and s.payment_method is not null and (i.tried_at is null or i.tried_at < $2)
     order by i.due_at, i.id limit $3`, [
		input.provider,
		input.triedBeforeMs,
		input.limit
	]);
	return (await withLines(sql, rows.map(invoices.fromRow))).map((invoice, i) => ({
		...invoice,
		payer: rows[i].payer,
		payment_method: rows[i].payment_method
	}));
}
/**
* Noted before a card is tried, so that a lost answer does not lead to trying it again and again. Returns false when
* the invoice was paid, cancelled or tried meanwhile.
*/
async function noteTried(sql, input) {
	return (await sql.query(`update invoice set tried_at = $2 where id = $1 and state = 'open' and (tried_at is null or tried_at < $3)
     returning id`, [
		input.id,
		input.nowMs,
		input.triedBeforeMs
	])).length > 0;
}

// src/access/roles.ts
const EVERYTHING = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey);
/** What each role may do in the organisation where it is held. */
const ROLES = {
	owner: {
		about: "Everything, and makes owners",
		scopes: EVERYTHING,
		makesKeys: true
	},
	admin: {
		about: "Everything but making owners",
		scopes: EVERYTHING,
		makesKeys: true
	},
	developer: {
		about: "Checks, reads, makes keys and applications",
		scopes: [
			...RISK_SCOPES,
			"billing:read",
			"organisation:read"
		],
		makesKeys: true
	},
	checker: {
		about: "Checks and reads usage, makes no keys",
		scopes: [...RISK_SCOPES, "billing:read"],
		makesKeys: false
	},
	viewer: {
		about: "Reads",
		scopes: ["billing:read", "organisation:read"],
		makesKeys: false
	}
};
const ROLE_NAMES = Object.keys(ROLES);
/** Roles that make and end keys and applications, although they may not change the organisation itself. */
const KEY_MAKERS = ROLE_NAMES.filter((role) => ROLES[role].makesKeys);
function roleMay(role, scope) {
	return ROLES[role].scopes.includes(scope);
}

// src/access/rights.ts
/**
* Rights: nobody hands out, changes or ends what they lack themselves. Routes, verbs, jobs and consent all ask here.
*
*  1. A credential with some scopes is made, changed, replaced or ended only by somebody who has all of them. Scopes
*     that no key can have (openid, profile and the like) are no rights in an organisation and need not be held.
*  2. A role is given or taken only by somebody who has all of its scopes.
*  3. Owners are made and unmade by owners who are signed in, and by the operator.
*  4. Members are invited, changed and removed with `organisation:write`; keys and applications also by some roles.
*  5. What somebody handed out unused (an invitation) is worth something only while they could hand it out again.
*  6. An application may do for a person only what the person's role allows.
*/
/** Scopes that are rights in an organisation, of all that an application may ask for. */
function isRight(scope) {
	return SCOPES[scope].apiKey;
}
function lackedScopes(holder, scopes) {
	return isUnlimited(holder) ? [] : scopes.filter((scope) => isRight(scope) && !holder.scopes.has(scope));
}
/** Rule 1. */
function requireGrantable(holder, scopes) {
	const lacked = lackedScopes(holder, scopes);
	if (lacked.length === 0) return;
	throw new Problem("forbidden", { detail: `You lack ${lacked.join(" and ")} yourself, so you cannot give, change or end it. Ask an owner or admin.` });
}
/** Rules 2 and 3. */
function mayHandOutRole(holder, role) {
	if (isUnlimited(holder)) return true;
	if (role === "owner" && holder.role !== "owner") return false;
	return lackedScopes(holder, ROLES[role].scopes).length === 0;
}
function requireRole(holder, role) {
	if (mayHandOutRole(holder, role)) return;
	if (role === "owner") throw new Problem("forbidden", { detail: "Only an owner who is signed in may make or change owners." });
	requireGrantable(holder, ROLES[role].scopes);
}
/** Rule 4, for keys and applications. */
function requireKeyMaker(holder) {
	if (mayWrite(holder) || holder.role !== void 0 && KEY_MAKERS.includes(holder.role)) return;
	throw new Problem("forbidden", { detail: "Your role does not let you make or end keys. Ask an owner or admin." });
}
/** Rule 4, for the organisation and its members. */
function requireWriter(holder) {
	if (mayWrite(holder)) return;
	throw new Problem("forbidden", { detail: "Changing the organisation or its members needs organisation:write." });
}
/** Rules 4 and 5: whether this one could invite somebody as `role` now. */
function mayInvite(holder, role) {
	return mayWrite(holder) && mayHandOutRole(holder, role);
}
function mayWrite(holder) {
	return isUnlimited(holder) || holder.scopes.has("organisation:write");
}
/** Rule 6. */
function mayConsent(role, scope) {
	return !isRight(scope) || roleMay(role, scope);
}

// src/identity/organisation/organisations.ts
const organisations = defineTable({
	name: "organisation",
	key: ["id"],
	fixed: ["created_at"],
	columns: {
		id: text(),
		name: text(),
		state: text(),
		state_reason: orNull(text()),
		state_until: orNull(integer()),
		disabled_at: orNull(integer()),
		deactivated_at: orNull(integer()),
		awaiting_approval: flag(),
		created_at: integer(),
		updated_at: integer()
	}
});
/** What is wrong with a name a person reads in a list; it has 1 to 200 visible characters. */
function nameProblem(name) {
	const length = [...name.trim()].length;
	if (length === 0) return "is empty";
	if (length > 200) return "is longer than 200 characters";
	if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u.test(name)) return "holds a control character";
	if (!/[^\p{Cf}\p{Z}\u3164\u115F\u1160\uFFA0]/u.test(name)) return "has no visible character";
}
/** The name without blanks around it; 422 at `pointer` when it is not one. */
function checkedName(name, pointer = "/name") {
	const wrong = nameProblem(name);
	if (wrong) throw invalidField(pointer, `The name ${wrong}.`);
	return name.trim();
}
function createOrganisation(tx, input) {
	return organisations.insert(tx, {
		id: newId("org"),
		name: checkedName(input.name, "/organisation_name"),
		state: "active",
		state_reason: null,
		state_until: null,
		disabled_at: null,
		deactivated_at: null,
		awaiting_approval: input.awaitingApproval,
		created_at: tx.nowMs,
		updated_at: tx.nowMs
	});
}
async function requireOrganisation(sql, id) {
	const found = await organisations.find(sql, { id });
	if (!found) throw new Problem("not_found", { detail: `There is no organisation ${id}.` });
	return found;
}
/** Held until the transaction ends: changes to one organisation's things happen one after another. */
async function lockOrganisation(tx, id) {
	const found = await organisations.lock(tx, { id });
	if (!found) throw new Problem("not_found", { detail: `There is no organisation ${id}.` });
	return found;
}
/** `isAsRead` refuses when the organisation is not as the caller last saw it. */
async function renameOrganisation(tx, actor, name, isAsRead = () => {}) {
	const before = await lockOrganisation(tx, actor.organisationId);
	requireWriter(actor);
	isAsRead(before);
	const after = await organisations.update(tx, {
		...before,
		name: checkedName(name),
		updated_at: tx.nowMs
	});
	await audit(tx, actor, "organisation.update", before.id, { name: {
		from: before.name,
		to: after.name
	} });
	return after;
}

// src/billing/ledger/books.ts
const newEntryId = () => newId("ent");
var Books = class {
	/** The last entry that was in the ledger when the books were opened. */
	writtenSeq;
	#tx;
	#plans;
	#entries = [];
	#before;
	#account;
	constructor(tx, plans, account) {
		this.#tx = tx;
		this.#plans = plans;
		this.#before = account;
		this.#account = account;
		this.writtenSeq = account.entrySeq;
	}
	get account() {
		return this.#account;
	}
	get plan() {
		return planOf(this.#plans, this.#account);
	}
	post(movement) {
		const posted = post(this.#account, {
			...movement,
			id: newEntryId()
		}, this.#tx.nowMs);
		this.#account = posted.account;
		this.#entries.push(posted.entry);
		return posted.entry;
	}
	/** Into the present month, on this plan and with this much included credit (null: the plan's). */
	roll(plan, monthlyCreditPence) {
		const rolled = rollPeriod({
			...this.#account,
			monthlyCreditPence
		}, plan, this.#tx.nowMs, newEntryId);
		this.#account = rolled.account;
		this.#entries.push(...rolled.entries);
	}
	movePlan(plan) {
		if (plan.id === this.#account.planId) return;
		const moved = movePlan(this.#account, plan, this.#tx.nowMs, newEntryId);
		this.#account = moved.account;
		this.#entries.push(moved.entry);
	}
	/** The copies of the standing that the hot path reads. */
	setAllowance(monthlyCreditPence, overageLimitPence) {
		if (monthlyCreditPence !== this.#account.monthlyCreditPence) {
			const { nowMs } = this.#tx;
			const changed = changeMonthlyCredit(this.#account, this.plan, monthlyCreditPence, nowMs, newEntryId);
			this.#account = changed.account;
			this.#entries.push(...changed.entries);
		}
		if (overageLimitPence !== this.#account.overageLimitPence) this.#account = {
			...this.#account,
			overageLimitPence
		};
	}
	/** Something beside the account changes at this moment: later changes are not before it. */
	touch() {
		this.#account = {
			...this.#account,
			updatedAtMs: this.#tx.nowMs
		};
	}
	/** Writes what was posted; nothing may be posted afterwards. */
	async write() {
		if (this.#account === this.#before) return;
		await writeAccount(this.#tx, this.#account, this.#entries);
		this.#before = this.#account;
	}
};
/** The account's books, and the transaction at the account's time. */
async function openBooks(tx, plans, organisationId) {
	const account = await lockAccount(tx, organisationId);
	const at = {
		...tx,
		nowMs: accountTime(account, tx.nowMs)
	};
	return {
		tx: at,
		books: new Books(at, plans, account)
	};
}
/** Whether an entry with this reference was posted before: a payment or a refund is posted once. */
async function isPosted(sql, organisationId, reference) {
	return (await sql.query("select id from ledger_entry where organisation_id = $1 and reference = $2", [organisationId, reference])).length > 0;
}
/** The number of the last entry of a month or an earlier one; entries are in the order of their months. */
async function lastSeqThrough(sql, organisationId, entrySeq, period) {
	let low = 0;
	let high = entrySeq;
	for (let middle = high; low < high; middle = Math.ceil((low + high) / 2)) if (((await sql.query("select period from ledger_entry where organisation_id = $1 and seq = $2", [organisationId, middle]))[0]?.period ?? period) <= period) low = middle;
	else high = middle - 1;
	return low;
}
/**
* All overage that requests ever added, up to the end of a month: the balance then, and what was settled or put back
* before. Of the rare kinds every entry is read, of charges none.
*/
async function overageThrough(sql, organisationId, entrySeq, period) {
	const lastSeq = await lastSeqThrough(sql, organisationId, entrySeq, period);
	if (lastSeq === 0) return 0;
	const rows = await sql.query(`select overage_after_pence as after, (select cast(coalesce(sum(m.overage_delta_pence), 0) as bigint)
       from ledger_entry m where m.organisation_id = $1 and m.kind = 'settle' and m.kind <> 'charge' and m.seq <= $2) as moved
     from ledger_entry where organisation_id = $1 and seq = $2`, [organisationId, lastSeq]);
	return (rows[0]?.after ?? 0) - (rows[0]?.moved ?? 0);
}

// src/billing/payments/payment-table.ts
const PAYMENT_OUTCOMES = [
	"settled",
	"credited",
	"unmatched"
];
const payments = defineTable({
	name: "payment",
	key: ["id"],
	time: "received_at",
	columns: {
		id: text(),
		provider: text(),
		reference: text(),
		organisation_id: orNull(text()),
		invoice_id: orNull(text()),
		amount_pence: integer(),
		currency: text(),
		outcome: text(),
		refunded_pence: integer(),
		disputed_at: orNull(integer()),
		dispute_closed_at: orNull(integer()),
		received_at: integer()
	}
});
async function isDisputed(sql, organisationId) {
	return (await sql.query("select id from payment where organisation_id = $1 and disputed_at is not null limit 1", [organisationId])).length > 0;
}

// src/billing/subscription/standing.ts
function standing(facts, nowMs) {
	const owed = facts.open.filter((invoice) => !invoice.inAdvance);
	const overdue = owed.find((invoice) => invoice.dueAtMs <= nowMs);
	const waiting = facts.open.find((invoice) => invoice.inAdvance && invoice.kind === "subscription");
	return {
		...stateOf(facts, overdue, waiting, nowMs),
		untilMs: untilOf(facts, owed, nowMs),
		owedPence: owed.reduce((sum, invoice) => sum + invoice.totalPence, 0),
		payFirst: overdue ?? waiting ?? owed[0] ?? null,
		...allowanceOf(facts)
	};
}
function stateOf(facts, overdue, waiting, nowMs) {
	const inactive = (reason, sinceMs = null) => ({
		state: "inactive",
		reason,
		sinceMs
	});
	if (facts.disabled) return {
		state: "disabled",
		reason: "disabled",
		sinceMs: null
	};
	if (facts.awaitingApproval) return inactive("awaiting_approval");
	if (facts.disputed) return inactive("disputed");
	if (overdue) return inactive("overdue", overdue.dueAtMs);
	const { subscription } = facts;
	const endedAtMs = subscription?.endsAtMs ?? null;
	if (endedAtMs !== null && endedAtMs <= nowMs) return inactive(waiting ? "first_payment" : "ended", endedAtMs);
	if (facts.deactivated) return inactive(waiting ? "first_payment" : "deactivated");
	if (subscription?.givenAtMs === null) return inactive("first_payment");
	return {
		state: "active",
		reason: null,
		sinceMs: null
	};
}
/** Ends, due dates and, for subscribers, the month's end: what happens then is worked out before anybody is served. */
function untilOf(facts, owed, nowMs) {
	const times = owed.map((invoice) => invoice.dueAtMs);
	if (facts.subscription) {
		times.push(periodEndMs(periodOf(nowMs)));
		if (facts.subscription.endsAtMs !== null) times.push(facts.subscription.endsAtMs);
	}
	const future = times.filter((timeMs) => timeMs > nowMs);
	return future.length === 0 ? null : Math.min(...future);
}
function allowanceOf(facts) {
	const { plan } = facts;
	const paidPlan = facts.subscription !== void 0 && facts.pricePence > 0;
	if (paidPlan && facts.coveredPence < facts.pricePence) return {
		monthlyCreditPence: 0,
		overageLimitPence: 0
	};
	if (paidPlan && !facts.everPaid) return {
		monthlyCreditPence: Math.min(facts.creditBeforePaymentPence, plan.included_credit_pence),
		overageLimitPence: 0
	};
	const { ownerOverageLimitPence: owner, operatorOverageLimitPence: operator } = facts;
	if (owner === null) return {
		monthlyCreditPence: null,
		overageLimitPence: operator
	};
	const highest = operator ?? plan.overage_limit_pence ?? Number.MAX_SAFE_INTEGER;
	return {
		monthlyCreditPence: null,
		overageLimitPence: Math.min(owner, highest)
	};
}

// src/billing/subscription/present.ts
/**
* An organisation's money at the present moment, held open for one change: what time has brought about is done first,
* then the change, then the standing that follows is worked out and its copies are written. One transaction, under the
* account's lock. Every change of a fact goes through here, so no path has an idea of its own.
*
*  1. A month's price is invoiced at its start, whole; its overage after its end. Months are never split.
*  2. No price is invoiced for a month that begins while the organisation is not served.
*  3. Doing this late gives the same invoices, with the same dates, as doing it in time.
*  4. An account's time never goes back, whatever clock a node or a verb comes with.
*/
const subscriptions = defineTable({
	name: "subscription",
	key: ["organisationId"],
	columns: {
		organisationId: named("organisation_id", text()),
		provider: text(),
		nextPlanId: named("next_plan_id", orNull(text())),
		startedAtMs: named("started_at", integer()),
		givenAtMs: named("given_at", orNull(integer())),
		endsAtMs: named("ends_at", orNull(integer())),
		closedPeriod: named("closed_period", text()),
		payer: orNull(text()),
		paymentMethod: named("payment_method", orNull(text())),
		updatedAtMs: named("updated_at", integer())
	}
});
async function atPresent(given, rules, organisationId, change) {
	const { tx, books } = await openBooks(given, rules.plans, organisationId);
	const organisation = await lockOrganisation(tx, organisationId);
	const subscription = await subscriptions.find(tx, { organisationId });
	const present = {
		tx,
		rules,
		books,
		organisation,
		subscription,
		terms: await readTerms(tx, organisationId)
	};
	await bringUpToNow(present);
	const value = await change(present);
	const now = await standingOf(present);
	books.setAllowance(now.monthlyCreditPence, now.overageLimitPence);
	if (present.subscription && present.subscription !== subscription) {
		books.touch();
		await subscriptions.upsert(tx, [{
			...present.subscription,
			updatedAtMs: tx.nowMs
		}]);
	}
	await writeCopies(present, organisation, now);
	await books.write();
	return value;
}
async function bringUpToNow(present) {
	const { books, subscription, tx } = present;
	const period = periodOf(tx.nowMs);
	let plan = books.plan;
	if (subscription) for (let month = nextPeriod(subscription.closedPeriod); month < period; month = nextPeriod(month)) plan = await closeMonth(present, plan, month);
	if (period <= books.account.period) {
		books.movePlan(plan);
		return;
	}
	books.roll(plan, (await standingOf(present, plan)).monthlyCreditPence);
}
/** The end of a month, and the start of the next; returns the plan of the next. */
async function closeMonth(present, before, month) {
	const subscription = present.subscription;
	const endMs = periodEndMs(month);
	const following = nextPeriod(month);
	const runs = (await standingOf(present, before, endMs)).state === "active";
	const plan = present.rules.plans.get(subscription.nextPlanId ?? "") ?? before;
	const unbilled = await unbilledOverage(present, month);
	await issue(present, {
		lines: [overageLine(month, unbilled), ...runs ? [planLine(plan, following)] : []],
		issuedAtMs: endMs,
		inAdvance: false
	});
	present.subscription = {
		...subscription,
		closedPeriod: month,
		nextPlanId: null
	};
	return plan;
}
/** Overage up to the end of a month that stands on no invoice yet. */
function unbilledOverage({ tx, books }, month) {
	const { organisationId } = books.account;
	return overageToInvoice(tx, {
		organisationId,
		entrySeq: books.writtenSeq
	}, month);
}
/** The same of an account that nobody holds open. */
async function overageToInvoice(sql, { organisationId, entrySeq }, month) {
	return await overageThrough(sql, organisationId, entrySeq, month) - await invoicedOverage(sql, organisationId);
}
const planLine = (plan, month) => ({
	kind: "plan",
	month,
	plan_id: plan.id,
	plan_price_pence: plan.monthly_price_pence,
	description: `${plan.name}, ${month}`,
	amount_pence: plan.monthly_price_pence
});
const overageLine = (month, pence) => ({
	kind: "overage",
	month,
	plan_id: null,
	plan_price_pence: null,
	description: `Checks beyond the credit, ${month}`,
	amount_pence: pence
});
/** Issues a subscription's invoice; without a positive amount there is none. */
async function issue(present, input) {
	const { organisationId } = present.books.account;
	const invoice = await issueInvoice(present.tx, {
		organisationId,
		kind: "subscription",
		...input
	});
	if (invoice) {
		const { number, total_pence } = invoice;
		await audit(present.tx, systemIn(organisationId), "invoice.issue", invoice.id, {
			number,
			total_pence
		});
	}
	return invoice;
}
/** The standing between the customer and us, whatever the operator said of the organisation. */
async function standingBehind(present) {
	const { tx, books } = present;
	const { facts } = await factsOf(tx, present, books.plan, periodOf(tx.nowMs));
	return standing({
		...facts,
		disabled: false,
		awaitingApproval: false
	}, tx.nowMs);
}
/** The standing as the facts are now, in this transaction. */
async function standingOf(present, plan = present.books.plan, atMs = present.tx.nowMs) {
	return standing((await factsOf(present.tx, present, plan, periodOf(atMs))).facts, atMs);
}
async function factsOf(sql, known, plan, month) {
	const { organisation, subscription, terms, rules } = known;
	const [open, paid, disputed] = await Promise.all([
		openInvoices(sql, organisation.id),
		paidFor(sql, organisation.id, month),
		isDisputed(sql, organisation.id)
	]);
	return {
		facts: {
			disabled: organisation.disabled_at !== null,
			awaitingApproval: organisation.awaiting_approval,
			deactivated: organisation.deactivated_at !== null,
			plan,
			subscription,
			open: open.map((invoice) => ({
				id: invoice.id,
				number: invoice.number,
				kind: invoice.kind,
				totalPence: invoice.total_pence,
				dueAtMs: invoice.due_at,
				inAdvance: invoice.in_advance
			})),
			disputed,
			coveredPence: paid.coveredPence,
			everPaid: paid.everPaid,
			pricePence: priceOf(plan, paid),
			creditBeforePaymentPence: rules.settings.creditBeforePaymentPence,
			ownerOverageLimitPence: terms.ownerOverageLimitPence,
			operatorOverageLimitPence: terms.operatorOverageLimitPence
		},
		open,
		paid
	};
}
/** The standing with what it rests on, for whoever shows it. Read after bringToPresent. */
async function readStanding(sql, rules, organisationId, nowMs) {
	const [organisation, subscription, terms, account] = await Promise.all([
		requireOrganisation(sql, organisationId),
		subscriptions.find(sql, { organisationId }),
		readTerms(sql, organisationId),
		accounts.find(sql, { organisationId })
	]);
	if (!account) throw noAccount(organisationId);
	const plan = planOf(rules.plans, account);
	const known = {
		rules,
		organisation,
		subscription,
		terms
	};
	const atMs = accountTime(account, nowMs);
	const { facts, open, paid } = await factsOf(sql, known, plan, periodOf(atMs));
	return {
		standing: standing(facts, atMs),
		atMs,
		facts,
		open,
		paid,
		account,
		organisation,
		subscription
	};
}
async function writeCopies(present, before, now) {
	const { tx, organisation, books } = present;
	const after = {
		...organisation,
		state: now.state,
		state_reason: now.reason,
		state_until: now.untilMs
	};
	if (!Object.keys(after).some((field) => after[field] !== before[field])) return;
	books.touch();
	await organisations.update(tx, {
		...after,
		updated_at: tx.nowMs
	});
	const actor = systemIn(organisation.id);
	if (before.state === after.state || after.state === "disabled") return;
	const action = after.state === "active" ? "account.active" : "account.inactive";
	await audit(tx, actor, action, organisation.id, now.reason === null ? {} : { reason: now.reason });
}
/** Does what time has brought about for one organisation; without anything due it only reads. */
async function bringToPresent(deps, organisationId) {
	const { sql } = deps;
	const nowMs = deps.clock.now();
	const row = (await sql.query(`select o.state_until, a.period, a.updated_at as "updatedAtMs" from organisation o join billing_account a on a.organisation_id = o.id
     where o.id = $1`, [organisationId]))[0];
	if (!row) return;
	const atMs = accountTime(row, nowMs);
	if (!(row.state_until !== null && row.state_until <= atMs || row.period < periodOf(atMs))) return;
	await changeIn(sql, { now: () => nowMs }, (tx) => atPresent(tx, deps, organisationId, async () => void 0));
}
const DUE_PER_PAGE = 200;
/** The same for every organisation something is due for; one that fails does not keep the others. */
async function bringAllToPresent(deps, options) {
	let done = 0;
	let afterId = "";
	for (;;) {
		const rows = await deps.sql.query(`select id from organisation where state_until <= $1 and id > $2 order by id limit ${DUE_PER_PAGE}`, [deps.clock.now(), afterId]);
		for (const { id } of rows) {
			if (options.signal?.aborted) return done;
			try {
				await bringToPresent(deps, id);
				done++;
			} catch (error) {
				options.onError(id, error);
			}
		}
		const last = rows.at(-1);
		if (!last || rows.length < DUE_PER_PAGE) return done;
		afterId = last.id;
	}
}
/** A new subscription, before it is given. */
function newSubscription(present) {
	const { tx, rules, books } = present;
	return {
		organisationId: books.account.organisationId,
		provider: rules.provider,
		nextPlanId: null,
		startedAtMs: tx.nowMs,
		givenAtMs: null,
		endsAtMs: null,
		closedPeriod: previousPeriod(periodOf(tx.nowMs)),
		payer: null,
		paymentMethod: null,
		updatedAtMs: tx.nowMs
	};
}

// src/lib/quoted.ts
const LENGTH_MAX = 64;
/**
* What somebody sent, for a text that says what is wrong with it: cut when it is long, and not repeated at all when it
* may be an email address or an address with a password in it.
*/
function quoted(text) {
	if (text.includes("@")) return "one with an @ in it";
	return JSON.stringify(text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text);
}

// src/billing/subscription/choice.ts
/** What choosing a plan brings about. Pure: the change itself and the pages that announce it say the same. */
const BEGINNINGS = [
	"now",
	"when_paid",
	"next_month"
];
/** The price that is still missing for this month is invoiced; where nothing is missing the plan begins at once. */
function purchaseOf(plan, paid, terms) {
	const { coveredPence, everPaid } = paid;
	const invoicePence = Math.max(0, priceOf(plan, paid) - coveredPence);
	const trusted = !everPaid && coveredPence === 0 && terms.creditBeforePaymentPence > 0;
	return {
		begins: invoicePence === 0 || terms.onTerms || trusted ? "now" : "when_paid",
		invoicePence
	};
}
/** Whoever has a month that is paid for keeps it: a cheaper plan begins with the next one. */
function waitsForNextMonth(hasMonth, present, plan) {
	return hasMonth && plan.monthly_price_pence < present.monthly_price_pence;
}
/** Whether there is a subscription to end: one that has not ended, or one that waits to be taken up again. */
function canEnd(facts, nowMs) {
	if (!facts.subscription) return false;
	const { endsAtMs } = facts.subscription;
	return facts.waits || !(facts.deactivated || endsAtMs !== null && endsAtMs <= nowMs);
}

// src/billing/subscription/subscription.ts
/**
* What customers and the operator choose. Each function locks, checks, writes and audits; standing.ts says what follows.
*
*  1. A paid plan, and a dearer one, is given when its invoice is paid. What is invoiced or paid for the month counts,
*     so no month is priced twice.
*  2. Before a customer's first payment the operator's settings may let a plan begin on terms.
*  3. A cheaper plan takes effect with the next month; between plans of one price the change is at once and free.
*  4. Ended at the end of the month, a subscription runs until then; ended now, it stops at once, what was paid stays
*     paid, and the overage so far is invoiced.
*  5. Nothing is chosen while an invoice is overdue or a payment disputed.
*/
/** An account by the operator's arrangement: without a subscription, it is served as its plan says. */
async function openAccount(tx, rules, input) {
	await insertAccount(tx, rules, input);
	await atPresent(tx, rules, input.organisationId, async () => void 0);
}
/** An account with its first subscription, as somebody signs up; the invoice is what it costs. */
async function signUp(tx, rules, input) {
	await insertAccount(tx, rules, input);
	return atPresent(tx, rules, input.organisationId, async (present) => {
		present.subscription = newSubscription(present);
		return await buy(present, present.books.plan) ?? (input.topUpPence > 0 ? issueTopUp(present, input.topUpPence) : void 0);
	});
}
/** Without credit: the standing, worked out for the first time, grants it. */
async function insertAccount(tx, rules, { organisationId, planId }) {
	const plan = requirePlan(rules, planId);
	await accounts.insert(tx, {
		...emptyAccount(organisationId, plan.id, tx.nowMs),
		monthlyCreditPence: 0
	});
}
async function changeSubscription(tx, rules, actor, change) {
	return atPresent(tx, rules, actor.organisationId, async (present) => {
		const invoice = "end" in change ? await end(present, actor, change.end) : await choose(present, actor, change.plan);
		return {
			subscription: present.subscription,
			plan: present.books.plan,
			invoice
		};
	});
}
async function choose(present, actor, planId) {
	const { books, tx, rules } = present;
	const plan = requirePlan(rules, planId);
	const before = books.plan;
	requireOffered(rules, actor, plan, before);
	const now = await standingBehind(present);
	refuseInDebt(now);
	const running = present.subscription !== void 0 && now.state === "active";
	const paid = await paidFor(tx, actor.organisationId, periodOf(tx.nowMs));
	const hasMonth = running && paid.coveredPence >= priceOf(before, paid);
	const takesEffect = waitsForNextMonth(hasMonth, before, plan) ? "next month" : "now";
	await audit(tx, actor, running && plan.id !== before.id ? "subscription.change" : "subscription.resume", actor.organisationId, {
		from: before.id,
		to: plan.id,
		takes_effect: takesEffect
	});
	const waiting = await planInvoice(present);
	if (waiting?.lines.some((line) => line.plan_id === plan.id)) return waiting;
	if (waiting) await cancel(present, actor, waiting);
	if (running) present.subscription = {
		...present.subscription,
		endsAtMs: null,
		nextPlanId: null
	};
	if (takesEffect === "next month") {
		present.subscription = {
			...present.subscription,
			nextPlanId: plan.id
		};
		return;
	}
	return buy(present, plan, isUnlimited(actor));
}
/** Invoices the price that is still missing for this month; the plan is given now, or when the invoice is paid. */
async function buy(present, plan, onTerms = false) {
	const { tx, books, rules } = present;
	const month = periodOf(tx.nowMs);
	const paid = await paidFor(tx, books.account.organisationId, month);
	const { creditBeforePaymentPence } = rules.settings;
	const { begins, invoicePence } = purchaseOf(plan, paid, {
		creditBeforePaymentPence,
		onTerms
	});
	if (invoicePence === 0) {
		await give(present, plan);
		return;
	}
	const line = {
		...planLine(plan, month),
		amount_pence: invoicePence
	};
	const upgrade = {
		kind: "upgrade",
		description: `${books.plan.name} to ${plan.name}, ${month}`
	};
	const lines = [paid.coveredPence > 0 ? {
		...line,
		...upgrade
	} : line];
	const invoice = await issue(present, {
		lines,
		issuedAtMs: tx.nowMs,
		inAdvance: begins === "when_paid"
	});
	if (begins === "now") await give(present, plan);
	return invoice;
}
/** From now on the organisation has this plan. */
async function give(present, plan) {
	const { tx, books } = present;
	const first = present.subscription === void 0;
	const subscription = present.subscription ?? newSubscription(present);
	present.subscription = {
		...subscription,
		provider: present.rules.provider,
		givenAtMs: subscription.givenAtMs ?? tx.nowMs,
		endsAtMs: null,
		nextPlanId: null
	};
	present.organisation = {
		...present.organisation,
		deactivated_at: null
	};
	books.movePlan(plan);
	if (!first) return;
	const month = previousPeriod(periodOf(tx.nowMs));
	const lines = [overageLine(month, await unbilledOverage(present, month))];
	await issue(present, {
		lines,
		issuedAtMs: tx.nowMs,
		inAdvance: false
	});
}
async function end(present, actor, when) {
	const { tx, books, organisation, subscription } = present;
	const waiting = await planInvoice(present);
	const deactivated = organisation.deactivated_at !== null;
	if (!subscription || !canEnd({
		subscription,
		deactivated,
		waits: waiting !== void 0
	}, tx.nowMs)) throw new Problem("conflict", { detail: "There is no running subscription to end." });
	await audit(tx, actor, "subscription.end", actor.organisationId, { when });
	if (waiting) await cancel(present, actor, waiting);
	const period = periodOf(tx.nowMs);
	if (when === "period_end" && (await standingBehind(present)).state === "active") {
		present.subscription = {
			...subscription,
			endsAtMs: periodEndMs(period),
			nextPlanId: null
		};
		return;
	}
	present.subscription = {
		...subscription,
		endsAtMs: Math.min(subscription.endsAtMs ?? tx.nowMs, tx.nowMs),
		nextPlanId: null
	};
	const lines = [overageLine(period, await unbilledOverage(present, books.account.period))];
	return issue(present, {
		lines,
		issuedAtMs: tx.nowMs,
		inAdvance: false
	});
}
/** The open invoice that a plan waits for. */
async function planInvoice({ tx, books }) {
	return (await openInvoices(tx, books.account.organisationId)).find((invoice) => invoice.in_advance && invoice.kind === "subscription");
}
/** An invoice for credit; the credit is posted when it is paid. */
function requestTopUp(tx, rules, actor, input) {
	return atPresent(tx, rules, actor.organisationId, async (present) => {
		const invoice = await issueTopUp(present, input.amountPence);
		await audit(tx, actor, "top_up.create", invoice.id, { amount_pence: input.amountPence });
		return invoice;
	});
}
async function issueTopUp({ tx, books }, amountPence) {
	const { organisationId } = books.account;
	if (await countOpenTopUps(tx, organisationId) >= 100) throw new Problem("conflict", { detail: `There are ${100} open top-ups. Pay or cancel some first.` });
	return await issueInvoice(tx, {
		organisationId,
		kind: "top_up",
		lines: [{
			kind: "top_up",
			plan_id: null,
			plan_price_pence: null,
			description: "Prepaid credit",
			month: periodOf(tx.nowMs),
			amount_pence: amountPence
		}],
		inAdvance: true,
		issuedAtMs: tx.nowMs
	});
}
/** The customer no longer wants what an invoice would pay in advance; the operator may take any open one back. */
function cancelInvoice(tx, rules, actor, found) {
	return atPresent(tx, rules, actor.organisationId, async (present) => {
		const invoice = (await openInvoices(tx, actor.organisationId)).find(({ id }) => id === found.id);
		if (!invoice) throw new Problem("conflict", { detail: `Invoice ${found.number} is not open and cannot be cancelled.` });
		if (!invoice.in_advance && !isUnlimited(actor)) throw new Problem("conflict", { detail: `Invoice ${invoice.number} is for something already given and has to be paid. Ask the operator if it is wrong.` });
		return cancel(present, actor, invoice);
	});
}
/** The operator takes an invoice back. One that was taken back or cancelled before stays as it is. */
async function voidInvoice(tx, rules, actor, found) {
	return found.state === "void" ? found : cancelInvoice(tx, rules, actor, found);
}
/** Nothing is to be paid any more; overage on the invoice is forgiven. */
async function cancel(present, actor, invoice) {
	settleOverage(present, invoice, "cancelled");
	const cancelled = await updateInvoice(present.tx, {
		...invoice,
		state: "void",
		settled_at: present.tx.nowMs
	});
	await audit(present.tx, actor, "invoice.void", invoice.id, {
		number: invoice.number,
		total_pence: invoice.total_pence
	});
	return cancelled;
}
/** What an invoice collected, or forgave, is no longer owed. */
function settleOverage({ books }, invoice, word) {
	const settledPence = Math.min(invoice.overage_pence, books.account.overagePence);
	if (settledPence === 0) return;
	books.post({
		kind: "settle",
		overageDeltaPence: -settledPence,
		reference: `settle ${invoice.id} ${books.account.entrySeq + 1}`,
		detail: `invoice ${invoice.number} ${word}`
	});
}
const CREDIT_PENCE_MAX = 1e9;
const PREPAID_PENCE_MAX = 0xe8d4a51000;
/** Prepaid credit from the operator. `reference` names the payment: posting it a second time changes nothing. */
function addCredit(tx, rules, actor, input) {
	const { pence, reason, reference } = input;
	if (!Number.isInteger(pence) || pence < 1 || pence > CREDIT_PENCE_MAX) throw invalidField("/pence", `A credit is a whole number of pence from 1 to ${CREDIT_PENCE_MAX}.`);
	if (reason.trim() === "" || reason.length > 500) throw invalidField("/reason", "A credit needs a reason of at most 500 characters; it stands in the ledger.");
	return atPresent(tx, rules, actor.organisationId, async ({ books }) => {
		if (reference !== void 0 && await isPosted(tx, actor.organisationId, reference)) return {
			account: books.account,
			repeated: true
		};
		if (books.account.prepaidPence + pence > PREPAID_PENCE_MAX) throw invalidField("/pence", `The credit would exceed ${PREPAID_PENCE_MAX} pence.`);
		books.post({
			kind: "credit",
			prepaidDeltaPence: pence,
			detail: reason,
			reference: reference ?? null
		});
		await audit(tx, actor, "credit.add", actor.organisationId, {
			pence,
			reason
		});
		return {
			account: books.account,
			repeated: false
		};
	});
}
/** The operator puts an organisation on a plan. A subscriber is invoiced on terms; others have it as arranged. */
function setPlan(tx, rules, actor, planId) {
	const plan = requirePlan(rules, planId);
	return atPresent(tx, rules, actor.organisationId, async (present) => {
		if (present.subscription) return choose(present, actor, planId);
		if (plan.id === present.books.plan.id) return void 0;
		await audit(tx, actor, "plan.set", actor.organisationId, {
			from: present.books.plan.id,
			to: plan.id
		});
		present.books.movePlan(plan);
	});
}
/** How much may be owed beyond the credit: the owner may lower the plan's limit, the operator may set any. */
function setOverageLimit(tx, rules, actor, limitPence) {
	return atPresent(tx, rules, actor.organisationId, async (present) => {
		const { terms, books } = present;
		const highest = terms.operatorOverageLimitPence ?? books.plan.overage_limit_pence;
		if (!isUnlimited(actor) && limitPence !== null && highest !== void 0 && limitPence > highest) throw invalidField("/overage_limit_pence", `The limit can be lowered only: ${highest} pence at most. Ask the operator for more.`);
		const field = isUnlimited(actor) ? "operatorOverageLimitPence" : "ownerOverageLimitPence";
		present.terms = await writeTerms(tx, {
			...terms,
			[field]: limitPence
		});
		await audit(tx, actor, "limit.set", actor.organisationId, { overage_limit_pence: limitPence });
	});
}
/** The operator's word about an organisation. Each can be taken back, and brings the state from before. */
const OPERATOR_WORDS = {
	disable: {
		action: "organisation.disable",
		facts: (nowMs) => ({ disabled_at: nowMs }),
		isOpen: ({ disabled_at }) => disabled_at === null
	},
	enable: {
		action: "organisation.enable",
		facts: () => ({ disabled_at: null }),
		isOpen: ({ disabled_at }) => disabled_at !== null
	},
	deactivate: {
		action: "organisation.deactivate",
		facts: (nowMs) => ({ deactivated_at: nowMs }),
		isOpen: ({ deactivated_at }) => deactivated_at === null
	},
	activate: {
		action: "organisation.activate",
		facts: () => ({ deactivated_at: null }),
		isOpen: ({ deactivated_at }) => deactivated_at !== null
	},
	approve: {
		action: "organisation.approve",
		facts: () => ({ awaiting_approval: false }),
		isOpen: ({ awaiting_approval }) => awaiting_approval
	}
};
const OPERATOR_WORD_NAMES = Object.keys(OPERATOR_WORDS);
/** The words that would change something now. */
function openWords(organisation) {
	return OPERATOR_WORD_NAMES.filter((word) => OPERATOR_WORDS[word].isOpen(organisation));
}
function setOperatorWord(tx, rules, actor, word) {
	const { action, facts } = OPERATOR_WORDS[word];
	return atPresent(tx, rules, actor.organisationId, async (present) => {
		const waited = word === "approve" && present.organisation.awaiting_approval;
		present.organisation = {
			...present.organisation,
			...facts(tx.nowMs)
		};
		await audit(tx, actor, action, actor.organisationId);
		if (waited) await beginAtApproval(present);
	});
}
/** What was paid or invoiced while the customer waited for us is for the month in which they begin. */
async function beginAtApproval({ tx, organisation }) {
	const { rows } = await listInvoices(tx, {
		organisationId: organisation.id,
		kind: "subscription",
		limit: 10
	});
	for (const invoice of rows) {
		if (invoice.state === "void" || invoice.in_advance && invoice.state === "open") continue;
		const due_at = invoice.state === "open" ? dueAtMs(tx.nowMs) : invoice.due_at;
		await updateInvoice(tx, {
			...invoice,
			due_at
		}, periodOf(tx.nowMs));
	}
}
function requirePlan({ plans }, planId) {
	const plan = plans.get(planId);
	if (!plan) throw invalidField("/plan", `There is no plan ${quoted(planId)}. Plans: ${[...plans.keys()].join(", ")}.`);
	return plan;
}
/** The plans that customers may choose themselves; the one they have is always theirs to keep. */
function offeredPlans({ plans, settings }, present) {
	const { signUpPlans } = settings;
	return [...plans.values()].filter(({ id }) => signUpPlans === "all" || signUpPlans.includes(id) || id === present?.id);
}
function requireOffered(rules, actor, plan, present) {
	const offered = offeredPlans(rules, present).map(({ id }) => id);
	if (offered.includes(plan.id) || actor && isUnlimited(actor)) return;
	throw new Problem("forbidden", { detail: `The plan ${plan.id} is given by the operator only. Choose one of ${offered.join(", ")}, or ask the operator.` });
}
function refuseInDebt(now) {
	if (now.reason === "overdue") throw new Problem("conflict", { detail: `Invoice ${now.payFirst?.number} is overdue. Pay it first; then change the plan.` });
	if (now.reason === "disputed") throw new Problem("conflict", { detail: "A payment is disputed. Settle the dispute first; then change the plan." });
}

// src/billing/payments/payments.ts
/**
* Money that came, and money that went back. Each payment is known by its reference and acted on once.
*
*  1. A payment of an open invoice, of its amount and in our currency, settles it.
*  2. A genuine payment that finds its invoice paid or cancelled becomes prepaid credit: money that came is never lost.
*  3. A payment of another amount or currency, or for nothing of ours, settles nothing: it is kept as unmatched, for
*     the operator to look at.
*  4. A refund takes back what the payment bought: prepaid credit, and what of it is spent already is owed; a plan's
*     month is no longer paid for.
*  5. While a payment is disputed the organisation is not served. A dispute that is lost leaves the invoice unpaid
*     again; one that is won brings back the state from before.
*/
const CURRENCY = "gbp";
/** The provider of payments that the operator notes. */
const BY_HAND = "operator";
/** A payment arrived. `by` says who told us; without an organisation of ours nobody's audit log can hold it. */
async function receivePayment(tx, rules, received, by = (organisationId) => systemIn(organisationId, { id: received.provider })) {
	const found = await findInvoice(tx, received.invoiceId);
	const receipt = found ? await take(tx, rules, received, found, by(found.organisation_id)) : await keepUnknown(tx, received);
	if (receipt.repeated) return receipt;
	let { payment } = receipt;
	for (const what of await takeAftermath(tx, received)) payment = (await followPayment(tx, rules, {
		...received,
		invoiceId: received.invoiceId
	}, what, by))?.payment ?? payment;
	return {
		...receipt,
		payment
	};
}
async function keepUnknown(tx, received) {
	const known = await findPayment(tx, received);
	return {
		payment: known ?? await keep(tx, received, {
			outcome: "unmatched",
			invoice: void 0
		}),
		invoice: void 0,
		repeated: known !== void 0
	};
}
async function take(tx, rules, received, found, actor) {
	return atPresent(tx, rules, found.organisation_id, async (present) => {
		rememberPayer(present, received);
		const invoice = await requireInvoice(tx, found.id);
		const known = await (received.unnamed && invoice.state === "paid" ? settledBy(tx, invoice) : findPayment(tx, received));
		if (known) return {
			payment: known,
			invoice,
			repeated: true
		};
		if (received.amountPence !== invoice.total_pence || received.currency !== "gbp") {
			const payment = await keep(tx, received, {
				outcome: "unmatched",
				invoice
			});
			await audit(tx, actor, "payment.unmatched", payment.id, describe(payment, invoice));
			return {
				payment,
				invoice,
				repeated: false
			};
		}
		if (invoice.state === "open" && !isForUnknownPlan(present, invoice)) {
			const payment = await keep(tx, received, {
				outcome: "settled",
				invoice
			});
			const settled = await settle(present, actor, invoice, received.reference);
			rememberPayer(present, received);
			return {
				payment,
				invoice: settled,
				repeated: false
			};
		}
		const payment = await keep(tx, received, {
			outcome: "credited",
			invoice
		});
		present.books.post({
			kind: "credit",
			prepaidDeltaPence: received.amountPence,
			reference: `payment ${received.provider} ${received.reference} ${invoice.id}`,
			detail: `payment for the ${invoice.state === "open" ? "withdrawn" : invoice.state === "paid" ? "paid" : "cancelled"} invoice ${invoice.number}`
		});
		const left = invoice.state === "open" ? await updateInvoice(tx, {
			...invoice,
			state: "void",
			settled_at: tx.nowMs
		}) : invoice;
		await audit(tx, actor, "payment.credited", payment.id, describe(payment, invoice));
		return {
			payment,
			invoice: left,
			repeated: false
		};
	});
}
/** The payment that settled a paid invoice. */
function settledBy(sql, { id, payment_reference }) {
	const named = payment_reference === null ? {} : { reference: payment_reference };
	return payments.find(sql, {
		invoice_id: id,
		outcome: "settled",
		...named
	});
}
/** A plan that plans.json no longer has cannot be given: what was paid for it becomes credit. */
function isForUnknownPlan({ rules }, invoice) {
	const planId = invoice.in_advance ? invoice.lines[0]?.plan_id : null;
	return typeof planId === "string" && !rules.plans.has(planId);
}
/** What was told of a payment before it came. */
async function takeAftermath(tx, { provider, reference }) {
	return (await tx.query(`delete from payment_aftermath where provider = $1 and reference = $2 returning kind, refunded_pence, received_at`, [provider, reference])).map(({ kind, refunded_pence }) => kind === "refunded" ? {
		kind,
		refundedPence: refunded_pence ?? 0
	} : { kind });
}
/** Kept until the payment comes: messages of a provider arrive in any order. */
async function keepAftermath(tx, { provider, reference }, what) {
	await tx.query(`insert into payment_aftermath (provider, reference, kind, refunded_pence, received_at) values ($1, $2, $3, $4, $5)
     on conflict (provider, reference, kind) do update set refunded_pence = excluded.refunded_pence`, [
		provider,
		reference,
		what.kind,
		what.kind === "refunded" ? what.refundedPence : null,
		tx.nowMs
	]);
}
async function settle(present, actor, invoice, reference) {
	const { tx, books } = present;
	if (invoice.kind === "top_up") books.post({
		kind: "credit",
		prepaidDeltaPence: invoice.total_pence,
		reference: `top-up ${invoice.id} ${reference}`,
		detail: `top-up, invoice ${invoice.number}`
	});
	settleOverage(present, invoice, "paid");
	const plan = invoice.in_advance ? planOfInvoice(present, invoice) : void 0;
	if (plan) await creditExcess(present, invoice, plan);
	const paid = await updateInvoice(tx, {
		...invoice,
		state: "paid",
		settled_at: tx.nowMs,
		payment_reference: reference
	}, plan && periodOf(tx.nowMs));
	await audit(tx, actor, "invoice.settle", invoice.id, {
		number: invoice.number,
		total_pence: invoice.total_pence,
		reference
	});
	if (!plan) return paid;
	await audit(tx, actor, "subscription.given", invoice.organisation_id, { plan: plan.id });
	await buy(present, plan);
	return paid;
}
/** A month that was invoiced meanwhile is not paid twice: what is beyond its price becomes prepaid credit. */
async function creditExcess({ tx, books }, invoice, plan) {
	const { coveredPence } = await paidFor(tx, invoice.organisation_id, periodOf(tx.nowMs));
	const pricePence = invoice.lines[0]?.plan_price_pence ?? plan.monthly_price_pence;
	const excessPence = Math.min(invoice.total_pence, coveredPence + invoice.total_pence - pricePence);
	if (excessPence <= 0) return;
	books.post({
		kind: "credit",
		prepaidDeltaPence: excessPence,
		reference: excessOf(invoice),
		detail: `paid beyond the price of the month, invoice ${invoice.number}`
	});
}
const excessOf = (invoice) => `excess ${invoice.id}`;
function planOfInvoice({ rules, books }, invoice) {
	if (invoice.kind !== "subscription") return void 0;
	return rules.plans.get(invoice.lines[0]?.plan_id ?? "") ?? books.plan;
}
function rememberPayer(present, { payer, paymentMethod }) {
	if (!present.subscription || !payer && !paymentMethod) return;
	present.subscription = {
		...present.subscription,
		payer: payer ?? present.subscription.payer,
		paymentMethod: paymentMethod ?? present.subscription.paymentMethod
	};
}
/** A provider's references are unique; what the operator writes names a payment of one invoice. */
function findPayment(sql, { provider, reference, invoiceId }) {
	return payments.find(sql, {
		provider,
		reference,
		...provider === BY_HAND ? { invoice_id: invoiceId } : {}
	});
}
function keep(tx, received, { outcome, invoice }) {
	return payments.insert(tx, {
		id: newId("pay"),
		provider: received.provider,
		reference: received.reference,
		organisation_id: invoice?.organisation_id ?? null,
		invoice_id: invoice?.id ?? null,
		amount_pence: received.amountPence,
		currency: received.currency,
		outcome,
		refunded_pence: 0,
		disputed_at: null,
		dispute_closed_at: null,
		received_at: tx.nowMs
	});
}
const describe = (payment, invoice) => ({
	number: invoice.number,
	invoice_id: invoice.id,
	amount_pence: payment.amount_pence,
	currency: payment.currency,
	reference: payment.reference
});
/** The operator notes that an invoice was paid. Without a reference of its own, a second time changes nothing. */
function settleByHand(tx, rules, actor, input) {
	const { invoice, reference } = input;
	return receivePayment(tx, rules, {
		provider: BY_HAND,
		reference: reference ?? `invoice ${invoice.id}`,
		invoiceId: invoice.id,
		amountPence: invoice.total_pence,
		currency: "gbp",
		unnamed: reference === null
	}, () => actor);
}
/** Undefined where no such payment is known. */
async function followPayment(tx, rules, which, what, by = (organisationId) => systemIn(organisationId, { id: which.provider })) {
	const found = await findPayment(tx, which);
	if (!found) return void 0;
	const { organisation_id: organisationId } = found;
	if (organisationId === null) {
		const refunded_pence = what.kind === "refunded" ? what.refundedPence : found.refunded_pence;
		return {
			payment: await payments.update(tx, {
				...found,
				refunded_pence
			}),
			repeated: false
		};
	}
	const actor = by(organisationId);
	return atPresent(tx, rules, organisationId, async (present) => {
		const before = await findPayment(tx, which);
		const after = await (what.kind === "refunded" ? refund(present, actor, before, what.refundedPence) : dispute(present, actor, before, what.kind));
		if (!after) return {
			payment: before,
			repeated: true
		};
		return {
			payment: await payments.update(tx, after),
			repeated: false
		};
	});
}
async function refund(present, actor, payment, refundedPence) {
	if (refundedPence > payment.amount_pence) throw invalidField("/pence", `The payment was ${payment.amount_pence} pence; more cannot go back.`);
	const morePence = refundedPence - payment.refunded_pence;
	if (morePence <= 0) return void 0;
	const invoice = payment.invoice_id === null ? void 0 : await findInvoice(present.tx, payment.invoice_id);
	const isCredit = payment.outcome === "credited" || invoice?.kind === "top_up";
	const whole = refundedPence === payment.amount_pence && invoice !== void 0;
	await reverse(present, payment, isCredit ? morePence : whole ? await creditedWith(present, excessOf(invoice)) : 0, `refund ${refundedPence}`);
	if (invoice && payment.outcome === "settled") await updateInvoice(present.tx, {
		...invoice,
		refunded_pence: invoice.refunded_pence + morePence
	});
	await audit(present.tx, actor, "payment.refund", payment.id, {
		...invoice ? { number: invoice.number } : {},
		refunded_pence: morePence,
		reference: payment.reference
	});
	return {
		...payment,
		refunded_pence: refundedPence
	};
}
async function creditedWith({ tx, books }, reference) {
	return (await entries$2.find(tx, {
		organisationId: books.account.organisationId,
		reference
	}))?.prepaidDeltaPence ?? 0;
}
/** Prepaid credit goes; what of it is spent already is owed, and invoiced at once. */
async function reverse(present, payment, pence, word) {
	const { books, tx } = present;
	const fromPrepaid = Math.min(pence, books.account.prepaidPence);
	books.post({
		kind: "reversal",
		prepaidDeltaPence: 0 - fromPrepaid,
		overageDeltaPence: pence - fromPrepaid,
		reference: `${word} of ${payment.provider} ${payment.reference}`,
		detail: `payment ${payment.reference} went back`
	});
	const lines = [{
		...overageLine(periodOf(tx.nowMs), pence - fromPrepaid),
		description: "Credit used, payment returned"
	}];
	await issue(present, {
		lines,
		issuedAtMs: tx.nowMs,
		inAdvance: false
	});
}
async function dispute(present, actor, payment, kind) {
	const { tx, books } = present;
	const isOpen = payment.disputed_at !== null;
	if (payment.dispute_closed_at !== null || kind === "disputed" && isOpen) return void 0;
	await audit(tx, actor, "payment.dispute", payment.id, {
		outcome: kind,
		reference: payment.reference
	});
	if (kind === "disputed") return {
		...payment,
		disputed_at: tx.nowMs
	};
	if (kind === "dispute_won") return {
		...payment,
		disputed_at: null,
		dispute_closed_at: tx.nowMs
	};
	const lostPence = payment.amount_pence - payment.refunded_pence;
	const invoice = payment.invoice_id === null ? void 0 : await findInvoice(tx, payment.invoice_id);
	const bought = payment.outcome === "credited" || invoice?.kind === "top_up";
	if (lostPence > 0) await reverse(present, payment, bought ? lostPence : 0, "dispute");
	if (present.subscription) present.subscription = {
		...present.subscription,
		paymentMethod: null
	};
	if (invoice && payment.outcome === "settled" && bought) await updateInvoice(tx, {
		...invoice,
		refunded_pence: invoice.refunded_pence + lostPence
	});
	if (invoice && payment.outcome === "settled" && !bought && lostPence > 0) {
		await updateInvoice(tx, {
			...invoice,
			state: "open",
			in_advance: false,
			settled_at: null,
			payment_reference: null
		});
		if (invoice.overage_pence > 0) books.post({
			kind: "settle",
			overageDeltaPence: invoice.overage_pence,
			reference: `unsettle ${invoice.id} ${books.account.entrySeq + 1}`,
			detail: `invoice ${invoice.number} is unpaid again`
		});
	}
	return {
		...payment,
		disputed_at: null,
		dispute_closed_at: tx.nowMs,
		refunded_pence: payment.amount_pence
	};
}
/** The operator gives money back for an invoice that was paid by hand. */
async function refundByHand(tx, rules, actor, input) {
	const { invoice } = input;
	const paid = await settledBy(tx, invoice);
	if (!paid || invoice.state !== "paid") throw new Problem("conflict", { detail: `Invoice ${invoice.number} is not paid: there is nothing to refund.` });
	const what = {
		kind: "refunded",
		refundedPence: paid.refunded_pence + input.pence
	};
	return (await followPayment(tx, rules, {
		...paid,
		invoiceId: invoice.id
	}, what, () => actor)).payment;
}
/** What a payer gives with a bank transfer. */
const paymentReference = (invoice) => `INV-${invoice.number}`;
/** Returns true if a provider's message was not acted on before, and marks it as seen. */
async function firstTime(tx, eventId) {
	return (await tx.query("insert into payment_event (id, received_at) values ($1, $2) on conflict do nothing returning id", [eventId, tx.nowMs])).length > 0;
}
/** A provider repeats a message for days, and a person may have it sent again within a month. */
const EVENTS_KEPT_MS = 90 * DAY_MS;
const PURGED_TOGETHER = 1e3;
/** Deletes what was kept about messages that nobody will send again; says how many. */
async function purgePaymentEvents(sql, nowMs) {
	for (let purged = 0;;) {
		const rows = await sql.query(`delete from payment_event where id in
         (select id from payment_event where received_at <= $1 order by received_at limit ${PURGED_TOGETHER})
       returning 1 as one`, [nowMs - EVENTS_KEPT_MS]);
		purged += rows.length;
		if (rows.length < PURGED_TOGETHER) return purged;
	}
}
/** Newest first. */
function listPayments(sql, query) {
	const { organisationId, outcome, limit } = query;
	const where = {
		...organisationId === void 0 ? {} : { organisation_id: organisationId },
		...outcome === void 0 ? {} : { outcome }
	};
	return payments.list(sql, where, {
		order: "received_at desc, id desc",
		limit
	});
}

export { requireWriter as $, atPresent as A, SCOPES as At, checkedName as B, signUp as C, actorOf as Ct, purchaseOf as D, DEFAULT_KEY_SCOPES as Dt, canEnd as E, systemIn as Et, subscriptions as F, renameOrganisation as G, lockOrganisation as H, standing as I, mayConsent as J, requireOrganisation as K, PAYMENT_OUTCOMES as L, bringToPresent as M, isScope as Mt, overageToInvoice as N, waitsForNextMonth as O, KEY_SCOPE_NAMES as Ot, readStanding as P, requireRole as Q, isPosted as R, setPlan as S, ACTOR_KINDS as St, BEGINNINGS as T, operatorIn as Tt, nameProblem as U, createOrganisation as V, organisations as W, requireGrantable as X, mayInvite as Y, requireKeyMaker as Z, requestTopUp as _, readAudit as _t, paymentReference as a, LINE_KINDS as at, setOperatorWord as b, hashedAuditFields as bt, refundByHand as c, listInvoices as ct, addCredit as d, requireInvoice as dt, KEY_MAKERS as et, cancelInvoice as f, readTerms as ft, openWords as g, audit as gt, openAccount as h, AUDIT_FAMILIES as ht, listPayments as i, INVOICE_STATES as it, bringAllToPresent as j, SCOPE_NAMES as jt, quoted as k, RISK_SCOPES as kt, settleByHand as l, noteTried as lt, offeredPlans as m, AUDIT_ACTION_NAMES as mt, followPayment as n, ROLE_NAMES as nt, purgePaymentEvents as o, findCollectable as ot, changeSubscription as p, setDetails as pt, lackedScopes as q, keepAftermath as r, INVOICE_KINDS as rt, receivePayment as s, findInvoice as st, firstTime as t, ROLES as tt, OPERATOR_WORD_NAMES as u, openInvoices as ut, requireOffered as v, auditHeads as vt, voidInvoice as w, newcomerIn as wt, setOverageLimit as x, readAuditChain as xt, requirePlan as y, hashOlderAudit as yt, lastSeqThrough as z };