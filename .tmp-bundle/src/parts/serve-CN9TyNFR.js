import { $ as Errors, B as migrate, E as loadSigningKeys, G as loadPlans, H as announceAccountChange, J as BULK_BODY_BYTES_MAX, K as BODY_BYTES_MAX$2, Q as Check, U as PlanSchema, V as ACCOUNTS_CHANNEL, X as overloaded, Y as createRateLimiter, Z as tooManyWaiting, _ as refuseUnknownSignUpPlans, et as build_default, g as settingsOf, h as liveSettingsOf, k as createSealer, m as lifetimesOf, o as openConfigured, q as BODY_TOO_LARGE_WORDS, r as anchorsFileOf, y as openConfiguredRing, z as openServiceTime } from "./context-BbeCwace.js";
import { d as sealAnswer, h as inactiveWords, i as keptAnswers, m as STATE_REASONS, n as findStoredResponse, o as openAnswer, p as ORGANISATION_STATES, r as insertStoredResponses, s as purgeStoredResponses } from "./stored-response-BYNa3zqU.js";
import { i as changeIn, n as StoreUnavailable, r as UniqueViolation, t as CommitUnknown } from "./sql-DF74iSw8.js";
import { C as isPeriod, D as previousPeriod, E as periodStartMs, F as text, H as rowsToInsert, L as idSeries, P as orNull, R as newId, S as termsOf, T as periodEndMs, a as findUnknownPlans, c as planOf, d as readEntries, i as entries, j as integer, k as defineTable, l as readAccount, m as accountTime, o as lockAccount, p as ENTRY_KINDS, w as nextPeriod, y as overageLimitOf, z as randomBase62 } from "./accounts-db1MVW_U.js";
import { r as runStatements } from "./routine-BXZ82vhO.js";
import { a as periodOf, i as SECOND_MS, n as HOUR_MS, o as systemClock, r as MINUTE_MS, t as DAY_MS } from "./clock-Cypo2bh8.js";
import { n as foreseeRefusal, r as price, t as chargeBatch } from "./charge-batch-DU4DO7eT.js";
import { a as problemFrom, i as malformedJson, n as Problem, r as invalidField, t as PROBLEMS } from "./errors-BqwugPUl.js";
import { n as sha256Hex } from "./hashing-DLQqQgqD.js";
import { a as carriedIpv4, d as parseIp, p as specialAddress, s as formatIp } from "./domain-kPPiJw5e.js";
import { S as beginWholeFile, p as readCatalogue } from "./worker-Cpb_pN4u.js";
import { n as isoDay, r as isoOrNull, t as iso } from "./time-text-Dd5R05a3.js";
import { t as VERSION } from "./version-CeV_Boaa.js";
import { n as giveStartMemoryBack, t as collectYoung } from "./garbage-CDjWsMak.js";
import { t as readJsonText } from "./json-text-DEWPD8mT.js";
import { _ as targetOf, a as readTexts, b as KNOWN$1, c as joinOutcomes, d as withLive, f as workOnList, g as parseIndicator, h as lookedUp, i as readSingle, l as listBy, m as isProblem, n as bulkBounds, o as recordsOf, r as invalidRecords, s as isShort, t as RECORDS_MAX, u as readFactTexts, v as EngineBusy, x as levelOf, y as EngineUnavailable } from "./request-zJkArTbk.js";
import { a as ParsedLists, c as lettersApart, i as Recent, n as coverageOfOne, o as SharedBodies, r as intelligenceOf, s as loadModels, t as createScorer } from "./score-C-gpwMxk.js";
import { n as KINDS, r as KIND_NAMES, t as FAMILIES } from "./kinds-CMakw6U7.js";
import { $ as requireWriter, A as atPresent, At as SCOPES, B as checkedName, Ct as actorOf, D as purchaseOf, E as canEnd, Et as systemIn, F as subscriptions, G as renameOrganisation, H as lockOrganisation, I as standing, J as mayConsent, K as requireOrganisation, M as bringToPresent, Mt as isScope, N as overageToInvoice, O as waitsForNextMonth, Ot as KEY_SCOPE_NAMES, P as readStanding, Q as requireRole, R as isPosted, St as ACTOR_KINDS, T as BEGINNINGS, Tt as operatorIn, W as organisations, Y as mayInvite, _ as requestTopUp, _t as readAudit, a as paymentReference, at as LINE_KINDS, b as setOperatorWord, ct as listInvoices, d as addCredit, dt as requireInvoice, et as KEY_MAKERS, f as cancelInvoice, ft as readTerms, g as openWords, gt as audit, ht as AUDIT_FAMILIES, it as INVOICE_STATES, j as bringAllToPresent, jt as SCOPE_NAMES, kt as RISK_SCOPES, l as settleByHand, lt as noteTried, m as offeredPlans, mt as AUDIT_ACTION_NAMES, n as followPayment, nt as ROLE_NAMES, o as purgePaymentEvents, ot as findCollectable, p as changeSubscription, pt as setDetails, r as keepAftermath, rt as INVOICE_KINDS, s as receivePayment, st as findInvoice, t as firstTime, tt as ROLES, u as OPERATOR_WORD_NAMES, ut as openInvoices, w as voidInvoice, wt as newcomerIn, x as setOverageLimit, z as lastSeqThrough } from "./payments-DmyGfVrk.js";
import { a as refuseWeakSecret, n as ConfigError, o as trustsAnybody, s as DEFAULT_LIFETIMES } from "./config-DJpv5Jli.js";
import { $ as createFeedStore, A as CLIENT_KIND_NAMES, B as isClientSecret, Bt as revokeKey, C as isOperator, Ct as checkedEmail, D as resetPassword, Et as findPersonByEmail, F as createClient, Ft as findKey, G as OAUTH_CHANNEL, Gt as createAnchorJob, H as requireClient, Ht as touchKeys, I as deleteClient, It as findKeyCaller, J as announcePersonChange, K as announceClientChange, Kt as createJobRunner, L as editable, Lt as keyState, M as COMMAND_LINE_CLIENT, Mt as GRACE_HOURS_MAX, N as authenticationOf, Nt as changeKey, O as CLIENT_AUTHENTICATIONS, Ot as normaliseSignInEmail, P as changeClient, Pt as createKey, R as findClient, Rt as listKeys, S as verifyPassword, Tt as findPerson, U as rotateClientSecret, Ut as isWellFormedApiKey, V as listClients, Vt as rotateKey, W as KEYS_CHANGED, Z as feedRefreshJob, _ as PURGE_BATCH, _t as findMember, a as lib_default, at as isOn, b as newPassword, bt as removeMember, c as InvalidScope, ct as arrangeOrganisation, d as questionsAbout, dt as checkoutState, f as createBootstrapJob, ft as claimCheckout, g as writeFacts, gt as changeRole, h as readFacts, ht as admit, i as libraryBehindSeconds, j as CLIENT_STATES, jt as bindGrant, k as CLIENT_KINDS, kt as people, l as OIDCProviderError, lt as beginCheckout, m as purgeFacts, n as TOKEN_KEPT_MS, o as InvalidClientAuth, p as readBootstrap, pt as findCheckout, r as createRecordAdapter, s as InvalidRequest, st as findOrganisations, tt as openSnapshotHolder, u as createFetcher, ut as requireSignUp, v as deleteInSteps, vt as listMembers, wt as createPerson, xt as requireMember, y as hashPassword, yt as organisationsOf, z as findClientInState, zt as requireKey } from "./adapter-GNbZPvlU.js";
import { t as logLinesDropped } from "./log-output-CT0J8N23.js";
import { n as resultsFrame } from "./remote-DeLTtDx6.js";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { domainToUnicode } from "node:url";
import { Worker } from "node:worker_threads";
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { extname, join } from "node:path";
import { EventEmitter, once } from "node:events";
import { setImmediate as setImmediate$1, setTimeout as setTimeout$1 } from "node:timers/promises";
import { readFile, readdir } from "node:fs/promises";
import { Transform } from "node:stream";
import { IncomingMessage, createServer } from "node:http";
import { AsyncLocalStorage } from "node:async_hooks";
import swagger from "@fastify/swagger";
import Fastify, { LogController } from "fastify";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

// src/lib/maybe.ts
/** `next` at once when the value is there, otherwise when it comes. */
function whenThere(value, next) {
	return value instanceof Promise ? value.then(next) : next(value);
}

// src/lib/remembered.ts
function rememberLookUps(lookUp, { clock, ttlMs, entriesMax }) {
	const fresh = /* @__PURE__ */ new Map();
	const pending = /* @__PURE__ */ new Map();
	let changes = 0;
	function remember(key, value) {
		fresh.delete(key);
		fresh.set(key, {
			value,
			untilTicks: clock.ticks() + ttlMs
		});
		if (fresh.size > entriesMax) {
			const oldest = fresh.keys().next();
			if (!oldest.done) fresh.delete(oldest.value);
		}
	}
	function look(key) {
		const running = pending.get(key);
		if (running) return running;
		const before = changes;
		const started = lookUp(key).then((value) => {
			if (before === changes) remember(key, value);
			return value;
		}).finally(() => {
			if (pending.get(key) === started) pending.delete(key);
		});
		pending.set(key, started);
		return started;
	}
	return {
		find(key) {
			const entry = fresh.get(key);
			return entry && entry.untilTicks > clock.ticks() ? entry.value : look(key);
		},
		forget(isGone) {
			changes++;
			pending.clear();
			if (!isGone) fresh.clear();
			else for (const [key, { value }] of fresh) if (isGone(value)) fresh.delete(key);
		}
	};
}

// src/access/caller-cache.ts
/**
* Callers seen lately, so that a busy key costs no database look-up per request. A revoked key or disabled organisation
* is noticed within `ttlMs`; a credential past its own expiry is never served, however fresh the answer. Unknown
* credentials are remembered too, so that hammering with a wrong one does not reach the database.
*/
function cacheCallers(find, options) {
	const callers = rememberLookUps(find, options);
	return {
		find: (credential) => whenThere(callers.find(credential), (caller) => caller && caller.expiresAtMs > options.clock.now() ? caller : void 0),
		forget: () => callers.forget()
	};
}

// src/access/auth.ts
const REALM = "Bearer realm=\"assay\"";
function authenticate(request, auth) {
	const apiKey = request.headers["x-api-key"];
	const authorization = request.headers.authorization;
	const bearer = authorization === void 0 ? void 0 : /^bearer +(.*)$/i.exec(authorization)?.[1]?.trim();
	if (apiKey !== void 0 && bearer !== void 0) throw new Problem("ambiguous_credentials", { detail: "Send either x-api-key or a bearer token, not both." });
	if (typeof apiKey === "string" && apiKey !== "") return byApiKey(apiKey, auth);
	if (bearer !== void 0) return byToken(bearer, auth);
	throw new Problem("credentials_missing", {
		detail: "Send an API key in the header x-api-key, or a token as Authorization: Bearer.",
		headers: { "www-authenticate": challenge(auth) }
	});
}
function byApiKey(apiKey, auth) {
	return whenThere(apiKey.length === 42 ? auth.findByApiKey(apiKey) : void 0, (caller) => {
		if (caller) return caller;
		throw new Problem("api_key_invalid", {
			detail: isWellFormedApiKey(apiKey) ? "The API key is unknown, revoked or expired." : "This is not a complete API key: check that it was copied whole.",
			headers: { "www-authenticate": challenge(auth) }
		});
	});
}
function byToken(token, auth) {
	const known = /^[A-Za-z0-9\-._~+/]{1,512}=*$/.test(token) ? auth.findByToken?.(token) : void 0;
	return whenThere(known, (caller) => {
		if (caller) return caller;
		throw new Problem("token_invalid", {
			detail: "The access token is unknown, revoked or expired.",
			headers: { "www-authenticate": challenge(auth, ...["error=\"invalid_token\"", "error_description=\"The access token is not valid\""]) }
		});
	});
}
function requireEnabled(caller) {
	if (caller.state === "disabled") throw new Problem("account_disabled", { detail: STATE_REASONS.disabled });
}
function requireActive(caller) {
	requireEnabled(caller);
	if (caller.state === "inactive") throw new Problem("account_inactive", { detail: inactiveWords(caller.stateReason) });
}
function requireScopes(caller, scopes, auth) {
	if (scopes.every((scope) => caller.scopes.has(scope))) return;
	const missing = scopes.filter((scope) => !caller.scopes.has(scope));
	throw new Problem("insufficient_scope", {
		detail: `The credential lacks ${missing.join(" and ")}.`,
		headers: { "www-authenticate": challenge(auth, "error=\"insufficient_scope\"", `scope="${scopes.join(" ")}"`) }
	});
}
function challenge(auth, ...parameters) {
	const metadata = auth.resourceMetadataUrl ? [`resource_metadata="${auth.resourceMetadataUrl}"`] : [];
	return [
		REALM,
		...parameters,
		...metadata
	].join(", ");
}

// src/access/gate.ts
/** A hook that waits only when there is something to wait for. */
function gateOf(pass) {
	return (request, reply, done) => {
		let passing;
		try {
			passing = pass(request, reply);
		} catch (error) {
			done(error);
			return;
		}
		if (passing instanceof Promise) passing.then(() => done(), done);
		else done();
	};
}
/** A key or a token counts before a cookie: who sends one says whom to charge. */
function identify(request, deps) {
	const { authorization, cookie } = request.headers;
	if (request.headers["x-api-key"] !== void 0 || authorization !== void 0 || !deps.findBySession || !cookie?.includes("assay_session=")) return authenticate(request, deps.authentication);
	return deps.findBySession(request);
}
function riskGate(deps, options) {
	function passPlan(caller, allowance, reply) {
		if (options.bulk && !allowance.bulk_allowed) throw new Problem("bulk_not_in_plan", { detail: "The plan has no bulk checks. Send single checks, or choose a plan with bulk." });
		const headers = deps.limiter.take(caller.organisationId, allowance.requests_per_second);
		if (headers) reply.headers(headers);
	}
	return gateOf((request, reply) => whenThere(identify(request, deps), (caller) => {
		remember(request, caller);
		requireActive(caller);
		requireScopes(caller, options.scopes, deps.authentication);
		return whenThere(deps.allowanceOf(caller.organisationId), (allowance) => passPlan(caller, allowance, reply));
	}));
}
/**
* What every request to a billing or organisation resource passes: authentication, account state, scope, rate. An
* inactive account passes, so that it can be paid for and looked after; a disabled one does not.
*/
function resourceGate(deps, options) {
	return gateOf((request, reply) => whenThere(identify(request, deps), (caller) => {
		passResource(request, caller, deps, options);
		const headers = deps.limiter.take(caller.organisationId, 100, "resources");
		if (headers) reply.headers(headers);
		reply.header("cache-control", "no-store");
	}));
}
function passResource(request, caller, deps, options) {
	remember(request, caller);
	requireEnabled(caller);
	const byRole = caller.role !== void 0 && options.roles?.includes(caller.role);
	const byOther = options.orScopes?.some((scope) => caller.scopes.has(scope));
	if (!byRole && !byOther) requireScopes(caller, options.scopes, deps.authentication);
}
/**
* Who calls, once more, when a change begins. A body may come long after its headers: whoever lost the right meanwhile
* changes nothing. `deps` look up, they do not remember.
*/
async function passAgain(deps, request, options) {
	passResource(request, await identify(request, deps), deps, options);
}
function remember(request, caller) {
	request.caller = caller;
	request.passedAtMs = performance.now();
}
/** For everything else: a request whose body took longer than callers are remembered for is asked who it is again. */
function stillTheSame(deps, afterMs) {
	return gateOf((request) => {
		const { caller, passedAtMs = 0 } = request;
		if (!caller || performance.now() - passedAtMs <= afterMs) return;
		return whenThere(identify(request, deps), (now) => {
			if (now.credentialId === caller.credentialId && now.organisationId === caller.organisationId && [...caller.scopes].every((scope) => now.scopes.has(scope))) return;
			throw new Problem("forbidden", { detail: "The credential was changed while the request was sent. Repeat it." });
		});
	});
}
function callerOf(request) {
	if (!request.caller) throw new Error("the gate let a request through without a caller");
	return request.caller;
}

// src/billing/checkout/offer-http.ts
/** Who may sign up, for which plans and how they pay: what the pricing page needs to know before anybody signs up. */
function registerOfferRoute(app, deps) {
	app.get("/api/sign-up", { schema: { hide: true } }, (_request, reply) => reply.header("cache-control", "public, max-age=300").send({
		sign_up: deps.settings.signUp,
		plans: offeredPlans(deps).map(({ id }) => id),
		by_card: deps.payments.name !== "invoice"
	}));
}

// src/http/idempotency.ts
function readIdempotency(request) {
	const key = request.headers["idempotency-key"];
	if (key === void 0) return void 0;
	if (typeof key !== "string" || !/^[\x21-\x7e]{1,255}$/.test(key)) throw new Problem("invalid_header", { detail: "Idempotency-Key must be 1 to 255 visible ASCII characters." });
	const body = request.rawBody;
	return {
		key,
		requestHash: sha256Hex(`${request.method} ${request.url}\n${body ? sha256Hex(body) : ""}`)
	};
}
function createInFlight() {
	const held = /* @__PURE__ */ new Set();
	return { hold(organisationId, key) {
		const entry = `${organisationId} ${key}`;
		if (held.has(entry)) throw new Problem("request_in_flight", {
			detail: "A request with this Idempotency-Key is still being answered. Repeat it in a moment.",
			headers: { "retry-after": "1" }
		});
		held.add(entry);
		return () => held.delete(entry);
	} };
}
/** The answer stored for a key, checked against what is asked now. */
function checkReplay(stored, idempotency) {
	if (stored && stored.requestHash !== idempotency.requestHash) throw new Problem("idempotency_key_reused", { detail: "This Idempotency-Key was used for another request within 24 hours. Use a new key for a new request." });
	return stored;
}

// src/http/change.ts
async function answerChange(request, reply, deps, repeater, change, after) {
	const idempotency = readIdempotency(request);
	if (!idempotency) {
		const changed = await changeIn(deps.sql, deps.clock, change);
		await after?.();
		return send$1(reply, changed);
	}
	const release = deps.inFlight.hold(repeater, idempotency.key);
	const name = {
		organisationId: repeater,
		key: idempotency.key
	};
	try {
		for (let attempt = 1;; attempt++) try {
			const { changed, replayed } = await changeIn(deps.sql, deps.clock, async (tx) => {
				const { nowMs } = tx;
				const row = await findStoredResponse(tx, {
					...name,
					nowMs
				});
				const kept = checkReplay(row && await openAnswer(deps.seal, row), idempotency);
				if (kept) return {
					changed: JSON.parse(kept.body),
					replayed: true
				};
				const changed = await change(tx);
				await insertStoredResponses(tx, [{
					...name,
					requestHash: "",
					status: changed.status,
					body: sealAnswer(deps.seal, name, {
						requestHash: idempotency.requestHash,
						before: JSON.stringify(changed),
						after: ""
					}),
					createdAtMs: nowMs
				}]);
				return {
					changed,
					replayed: false
				};
			});
			await after?.();
			if (replayed) reply.header("idempotent-replayed", "true");
			return send$1(reply, changed);
		} catch (error) {
			if (error instanceof UniqueViolation && attempt === 1) continue;
			throw error;
		}
	} finally {
		release();
	}
}
function send$1(reply, { status, body, headers }) {
	reply.code(status).headers(headers ?? {});
	return body === void 0 ? reply.send() : sendJson(reply, body);
}
/** As it is: the schemas of the routes describe answers, they do not reshape them. */
function sendJson(reply, body) {
	return reply.header("content-type", "application/json; charset=utf-8").send(JSON.stringify(body));
}
/** A version of what two people may edit: the same content has the same tag. */
function etagOf(content) {
	return `"${sha256Hex(JSON.stringify(content)).slice(0, 24)}"`;
}
/** RFC 9110 §13.1.1: a change names the version it was made from. To be asked inside the transaction, under lock. */
function requireMatch(request, etag) {
	const given = request.headers["if-match"];
	if (given === void 0) throw new Problem("precondition_required", { detail: "Send If-Match with the ETag of the version you read, so that nobody else’s change is overwritten." });
	const tags = given.split(",").map((tag) => tag.trim());
	if (!tags.includes(etag) && !tags.includes("*")) throw new Problem("precondition_failed", {
		detail: "Somebody changed this since it was read. Read it again, then repeat the change.",
		headers: { etag }
	});
}

// src/http/page.ts
const PURPOSE = "cursor";
const LENGTH_MAX = 1e3;
/** The end of the year 9999: beyond it a moment cannot be counted on from, and no list has so many rows. */
const NUMBER_MAX = 0xe677d21fdbff;
function createCursors(ring) {
	const signed = ({ organisationId, list }, text) => `${organisationId}\n${list}\n${text}`;
	return {
		make(key, position) {
			const text = JSON.stringify(position);
			return Buffer.from(`${ring.mac(PURPOSE, signed(key, text))} ${text}`).toString("base64url");
		},
		async read(key, cursor, shape) {
			const [, mac, text] = /^(\S+) (.*)$/.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
			if (mac === void 0 || text === void 0 || cursor.length > LENGTH_MAX) throw notOfThisList();
			await ring.know(mac);
			if (!ring.isMac(PURPOSE, signed(key, text), mac)) throw notOfThisList();
			const position = parsed$1(text);
			if (!hasShape(position, shape)) throw notOfThisList();
			return position;
		}
	};
}
/** Checked although it is signed: another version may have made it. */
function hasShape(position, shape) {
	return Array.isArray(position) && position.length === shape.length && shape.every((kind, i) => {
		const part = position[i];
		if (kind === "text") return typeof part === "string" && /^[\x20-\x7e]*$/.test(part);
		return typeof part === "number" && Number.isInteger(part) && part >= 0 && part <= NUMBER_MAX;
	});
}
function parsed$1(text) {
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
function notOfThisList() {
	return new Problem("validation_failed", {
		detail: "The cursor does not belong to this list. Use the one of the last page as it is, with the same filters.",
		errors: [{
			pointer: "/cursor",
			code: "invalid",
			detail: "This is not a cursor of this list."
		}]
	});
}
/** RFC 8288: where the next page is, with the same filters. */
function linkNext(request, reply, baseUrl, cursor) {
	if (cursor === null) return;
	const url = new URL(request.url, "http://here");
	url.searchParams.set("cursor", cursor);
	reply.header("link", `<${baseUrl}${url.pathname}${url.search}>; rel="next"`);
}
function timeCursor(cursors, key, position) {
	return position ? cursors.make(key, [position.createdAtMs, position.id]) : null;
}
async function readTimeCursor(cursors, key, cursor) {
	if (cursor === void 0) return void 0;
	const [createdAtMs, id] = await cursors.read(key, cursor, ["number", "text"]);
	return {
		createdAtMs,
		id
	};
}

// src/http/schema.ts
/** Schemas every part of the API shares: they validate, type and document at once. */
const ProblemSchema = build_default.Object({
	type: build_default.String({ description: "Address of a page about this problem." }),
	title: build_default.String({ description: "The problem in general." }),
	status: build_default.Integer({ description: "The HTTP status again." }),
	detail: build_default.String({ description: "What is wrong this time and what to do." }),
	instance: build_default.String({ description: "The request id, as in the header X-Request-Id." }),
	code: build_default.String({
		enum: Object.keys(PROBLEMS),
		description: "Stable code to program against."
	}),
	errors: build_default.Optional(build_default.Array(build_default.Object({
		pointer: build_default.String({ description: "RFC 6901 pointer to the place in the body." }),
		code: build_default.String(),
		detail: build_default.String()
	}), { description: "For validation: each place that is wrong, the first 100." }))
}, {
	$id: "Problem",
	title: "Problem",
	description: "RFC 9457 problem details."
});
const BillingFields = {
	charged: build_default.Boolean({ description: "Money moved, from credit or as overage." }),
	is_free: build_default.Boolean({ description: "A free allowance or a zero-priced plan covered the whole request." }),
	unit_price_pence: build_default.Integer({
		minimum: 0,
		description: "Price of one unit, in pence."
	}),
	billable_units: build_default.Integer({
		minimum: 1,
		description: "Units of this request: one per record."
	}),
	total_price_pence: build_default.Integer({
		minimum: 0,
		description: "Total price, in pence."
	}),
	charged_from_credit_pence: build_default.Integer({
		minimum: 0,
		description: "Part taken from credit."
	}),
	overage_pence: build_default.Integer({
		minimum: 0,
		description: "Part beyond credit."
	}),
	remaining_credit_pence: build_default.Integer({
		minimum: 0,
		description: "Credit left after this request."
	})
};
const HEADERS$1 = {
	credentials_missing: { "WWW-Authenticate": {
		type: "string",
		description: "RFC 6750 challenge."
	} },
	method_not_allowed: { Allow: {
		type: "string",
		description: "Methods this path takes."
	} },
	rate_limited: {
		"Retry-After": {
			type: "string",
			description: "Seconds to wait."
		},
		RateLimit: {
			type: "string",
			description: "Requests left and seconds until more."
		},
		"RateLimit-Policy": {
			type: "string",
			description: "Requests allowed per window."
		}
	},
	upstream_unavailable: { "Retry-After": {
		type: "string",
		description: "Seconds to wait."
	} },
	store_unavailable: { "Retry-After": {
		type: "string",
		description: "Seconds to wait."
	} }
};
/** The `response` entries of a route for the problems it can answer with, grouped by status. */
function problemResponses(codes) {
	const byStatus = /* @__PURE__ */ new Map();
	for (const code of codes) {
		const { status } = PROBLEMS[code];
		byStatus.set(status, [...byStatus.get(status) ?? [], code]);
	}
	const responses = {};
	for (const [status, group] of byStatus) responses[status] = {
		description: group.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(" "),
		headers: Object.assign({}, ...group.map((code) => HEADERS$1[code] ?? {})),
		content: { "application/problem+json": {
			schema: { $ref: "Problem#" },
			examples: Object.fromEntries(group.map((code) => [code, { value: exampleOf(code) }]))
		} }
	};
	return responses;
}
function exampleOf(code) {
	return {
		type: `http://localhost:8080/problems/${code}`,
		title: PROBLEMS[code].title,
		status: PROBLEMS[code].status,
		detail: `${PROBLEMS[code].title}.`,
		instance: "req_Xk29fPq0LmZt0000001",
		code
	};
}
/** One good answer of a route, with an example of it. */
function jsonResponse(description, schema, example, headers = {}) {
	return {
		description,
		headers: {
			"X-Request-Id": {
				type: "string",
				description: "Id of this request."
			},
			...headers
		},
		content: { "application/json": {
			schema,
			examples: { example: { value: example } }
		} }
	};
}
/** An answer in other forms as well; which one, the Accept header says. */
function withForms(response, forms) {
	const { content, ...rest } = response;
	const others = Object.entries(forms).map(([type, example]) => [type, {
		schema: { type: "string" },
		examples: { example: { value: example } }
	}]);
	return {
		...rest,
		content: {
			...content,
			...Object.fromEntries(others)
		}
	};
}
/** A page of a list. */
function pageResponse(description, schema, example) {
	return jsonResponse(description, build_default.Object({
		data: build_default.Array(schema),
		next_cursor: NextCursor
	}), {
		data: [example],
		next_cursor: null
	}, LINK_HEADER);
}
const LINK_HEADER = { Link: {
	type: "string",
	description: "RFC 8288: `rel=\"next\"` leads to the next page."
} };
const ETAG_HEADER = { ETag: {
	type: "string",
	description: "The version; send it back in If-Match."
} };
const REPLAYED_HEADER = { "Idempotent-Replayed": {
	type: "string",
	description: "`true` when a stored answer was given again."
} };
const RESOURCE_PROBLEMS = [
	"ambiguous_credentials",
	"invalid_header",
	"credentials_missing",
	"session_missing",
	"api_key_invalid",
	"token_invalid",
	"account_disabled",
	"insufficient_scope",
	"forbidden",
	"not_found",
	"rate_limited",
	"internal",
	"store_unavailable",
	"overloaded",
	"shutting_down"
];
/** What any resource may answer, and what these routes add to it. */
function resourceProblems(...more) {
	return problemResponses([.../* @__PURE__ */ new Set([...RESOURCE_PROBLEMS, ...more])]);
}
const CHANGE_PROBLEMS = [
	"malformed_json",
	"invalid_header",
	"request_in_flight",
	"body_too_large",
	"unsupported_media_type",
	"validation_failed",
	"idempotency_key_reused"
];
/** Any one of the scopes. */
const security = (scopes) => [
	{ apiKey: [] },
	...scopes.map((scope) => ({ oauth2: [scope] })),
	{ session: [] }
];
const idempotencyKey = build_default.Optional(build_default.String({
	minLength: 1,
	maxLength: 255,
	description: "Makes a retry safe: the same key and body within 24 hours give the stored answer, done once."
}));
const ChangeHeaders = build_default.Object({ "idempotency-key": idempotencyKey });
const EditHeaders = build_default.Object({
	"idempotency-key": idempotencyKey,
	"if-match": build_default.String({ description: "The ETag of the version this change was made from." })
});
const Cursor = build_default.Optional(build_default.String({
	minLength: 1,
	maxLength: 1e3,
	description: "Where the page begins: `next_cursor` of the last one."
}));
const NextCursor = build_default.Union([build_default.String(), build_default.Null()], { description: "Begins the next page; null on the last. A page may be shorter than the limit and still have a next one." });
const Time$1 = (description) => build_default.String({
	format: "date-time",
	description
});
const TimeOrNull = (description) => build_default.Union([build_default.String({ format: "date-time" }), build_default.Null()], { description });
const TextOrNull = (description) => build_default.Union([build_default.String(), build_default.Null()], description === void 0 ? {} : { description });
const Name = (description) => build_default.String({
	minLength: 1,
	maxLength: 200,
	description
});
const Pence = (description) => build_default.Integer({
	minimum: 0,
	description
});
const noContent = (description) => ({ description });

// src/http/problem.ts
/** RFC 9457 bodies, and the translation of everything that can go wrong into one. */
const PROBLEM_TYPE = "application/problem+json";
function problemBody(problem, context) {
	return {
		type: `${context.baseUrl}/problems/${problem.code}`,
		title: problem.title,
		status: problem.status,
		detail: problem.detail,
		instance: context.requestId,
		code: problem.code,
		...problem.errors ? { errors: problem.errors } : {}
	};
}
/** Fastify's own refusals, by their code. */
const FASTIFY_PROBLEMS = {
	FST_ERR_CTP_INVALID_MEDIA_TYPE: {
		code: "unsupported_media_type",
		detail: "Send the body as JSON with Content-Type: application/json."
	},
	FST_ERR_CTP_BODY_TOO_LARGE: {
		code: "body_too_large",
		detail: BODY_TOO_LARGE_WORDS
	},
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
		code: "invalid_header",
		detail: "Content-Length does not agree with the body."
	},
	FST_ERR_ROUTE_MISSING_CONTENT_TYPE: {
		code: "unsupported_media_type",
		detail: "Send the body as JSON with Content-Type: application/json."
	},
	FST_ERR_CTP_EMPTY_JSON_BODY: {
		code: "malformed_json",
		detail: "The body is empty."
	},
	FST_ERR_BAD_URL: {
		code: "not_found",
		detail: "The path is not a valid one."
	}
};
const ERRORS_MAX = 100;
const KEYWORD_CODES = {
	type: "wrong_type",
	minimum: "out_of_range",
	maximum: "out_of_range",
	exclusiveMinimum: "out_of_range",
	exclusiveMaximum: "out_of_range",
	minLength: "too_short",
	maxLength: "too_long",
	minItems: "too_short",
	maxItems: "too_long",
	enum: "not_allowed",
	const: "not_allowed"
};
/** One entry per wrong place. The values themselves are never repeated: they may be a password or an address. */
function toFieldErrors(found) {
	const errors = [];
	for (const { keyword, instancePath, params, message } of found) {
		const names = params.requiredProperties ?? params.additionalProperties;
		const name = params.missingProperty ?? params.additionalProperty;
		for (const field of names ?? (typeof name === "string" ? [name] : [])) {
			const missing = keyword === "required";
			errors.push({
				pointer: `${instancePath}/${pointerSegment(field)}`,
				code: missing ? "missing_field" : "unknown_field",
				detail: missing ? "This field is required." : "There is no such field."
			});
		}
		if (names || typeof name === "string" || keyword === "boolean") continue;
		const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(", ")}` : "";
		errors.push({
			pointer: instancePath,
			code: KEYWORD_CODES[keyword] ?? "invalid",
			detail: `This ${message ?? "is not valid"}${allowed}.`
		});
	}
	return errors.slice(0, ERRORS_MAX);
}
/** RFC 6901, with a length bound: a field name may be as long as the body, or hold an address by mistake. */
function pointerSegment(name) {
	return (name.length > 64 || name.includes("@") ? `${name.slice(0, 16).split("@")[0]}…` : name).replaceAll("~", "~0").replaceAll("/", "~1");
}
const CONTEXT_PROBLEMS = {
	body: "validation_failed",
	querystring: "invalid_query",
	headers: "invalid_header",
	params: "not_found"
};
function toProblem(error) {
	if (error instanceof Problem) return error;
	const { validation, validationContext } = error ?? {};
	if (validation) {
		const errors = toFieldErrors(validation);
		const code = CONTEXT_PROBLEMS[validationContext ?? "body"] ?? "validation_failed";
		return new Problem(code, {
			detail: errors[0]?.detail ?? "The request is not valid.",
			errors
		});
	}
	if (error instanceof StoreUnavailable) return new Problem("store_unavailable", {
		detail: "The store cannot be reached. Nothing was charged; try again shortly.",
		headers: { "retry-after": "1" },
		cause: error
	});
	const { code: name = "", statusCode } = error ?? {};
	if (name === "ECONNRESET" && statusCode === 400) return new Problem("invalid_header", {
		detail: "The connection ended before the body did.",
		cause: error
	});
	const known = FASTIFY_PROBLEMS[name];
	if (known) return new Problem(known.code, {
		detail: known.detail,
		cause: error
	});
	return new Problem("internal", {
		detail: "The request could not be answered. Nothing was charged.",
		cause: error
	});
}
function sendProblem(request, reply, error, options) {
	const problem = toProblem(error);
	if (problem.status >= 500) {
		const { code, cause } = problem;
		request.log.error({
			request_id: request.id,
			err: cause ?? problem,
			code
		}, problem.title);
	}
	return reply.code(problem.status).headers(problem.headers).header("content-type", PROBLEM_TYPE).send(JSON.stringify(problemBody(problem, {
		baseUrl: options.baseUrl,
		requestId: request.id
	})));
}
/** One page a problem's `type` points at. */
function problemPage(code) {
	const { status, title } = PROBLEMS[code];
	return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${code}</title>
<h1>${title}</h1><p>Status ${status}, code <code>${code}</code>.</p><p>The answer's <code>detail</code> says what to do in your case.
Quote its <code>instance</code> (the request id) when you ask the operator for help.</p><p><a href="/docs">API reference</a></p></html>`;
}

// src/http/validate.ts
/**
* Validation of resource routes by the same schemas that type and document them. Bodies are taken as they come (a
* number in quotes is not a number); query parameters are text by nature and become what their schema says.
*/
const resourceValidator = ({ schema, httpPart }) => {
	if (httpPart === "querystring") return (query) => readQuery(schema, query);
	if (httpPart === "body") return (body) => readBody(schema, body);
	if (httpPart === "params") return (params) => readParams(params);
	return () => true;
};
function readBody(schema, body) {
	if (Check(schema, body)) return { value: body };
	const errors = toFieldErrors(Errors(schema, body)[1]);
	return { error: new Problem("validation_failed", {
		detail: sentence(errors),
		errors
	}) };
}
function readQuery(schema, query) {
	const properties = schema.properties ?? {};
	const value = Object.fromEntries(Object.entries(query).map(([name, text]) => [name, properties[name]?.type === "integer" && typeof text === "string" && /^-?\d{1,15}$/.test(text) ? Number(text) : text]));
	const unkept = Object.entries(value).find(([, text]) => typeof text === "string" && text.includes("\0"));
	if (unkept) return { error: new Problem("invalid_query", { detail: `${unkept[0]}: This holds the character U+0000.` }) };
	if (Check(schema, value)) return { value };
	const errors = toFieldErrors(Errors(schema, value)[1]);
	return { error: new Problem("invalid_query", {
		detail: sentence(errors),
		errors
	}) };
}
/** A path that names nothing is simply not found, whatever stands in it. */
function readParams(params) {
	if (Object.values(params).every((value) => /^[\w.-]{1,100}$/.test(value))) return { value: params };
	return { error: new Problem("not_found", { detail: "There is nothing of this name." }) };
}
function sentence(errors) {
	const first = errors[0];
	return first ? `${first.pointer === "" ? "The body" : first.pointer.slice(1)}: ${first.detail}` : "Not valid.";
}

// src/http/operation.ts
/** An operation that reads, or whose work does not fit one transaction. It returns the body, or sends another form itself. */
function operation(spec) {
	const handle = spec.handle;
	return {
		id: spec.id,
		register(app, deps) {
			route(app, deps, spec, void 0, async (request, reply) => {
				const context = contextOf(request, reply);
				const who = spec.scope === "public" ? {} : {
					caller: callerOf(request),
					actor: actorOf(request)
				};
				const answer = await handle({
					...context,
					...who
				});
				return reply.sent ? reply : sendJson(reply, answer);
			});
		}
	};
}
/**
* An operation that changes something: one transaction holds the change, its audit entry and, under an
* Idempotency-Key, the answer kept for retries.
*/
function change(spec) {
	return {
		id: spec.id,
		register(app, deps) {
			route(app, deps, spec, spec.edit ? "edit" : "make", async (request, reply) => {
				const context = contextOf(request, reply);
				if (spec.scope !== "public") await deps.passAgain(request, gateOptions(spec.scope, spec));
				const prepared = await spec.prepare?.(context);
				const actor = spec.scope === "public" ? void 0 : actorOf(request);
				const repeater = spec.repeater?.(context) ?? `${actor.organisationId} ${actor.kind} ${actor.id}`;
				const match = (etag) => requireMatch(request, etag);
				return answerChange(request, reply, deps, repeater, (tx) => spec.handle(tx, {
					...context,
					actor,
					prepared,
					requireMatch: match
				}), () => spec.after?.(context));
			});
		}
	};
}
function registerOperations(app, deps, operations) {
	for (const one of operations) one.register(app, deps);
}
function contextOf(request, reply) {
	const { params, query, body } = request;
	return {
		params,
		query,
		body,
		request,
		reply
	};
}
function route(app, deps, spec, changes, handler) {
	app.route({
		method: spec.method,
		url: spec.path.replace(/\{(\w+)\}/g, ":$1"),
		validatorCompiler: resourceValidator,
		...spec.scope === "public" ? {} : { onRequest: deps.gate(gateOptions(spec.scope, spec)) },
		schema: schemaOf(spec, changes),
		handler
	});
}
const gateOptions = (scope, access) => ({
	scopes: [scope],
	orScopes: access.orScopes ?? [],
	roles: access.roles ?? []
});
function schemaOf(spec, changes) {
	const { params, query, body, scope } = spec;
	const problems = [
		...changes ? CHANGE_PROBLEMS : [],
		...changes === "edit" ? ["precondition_failed", "precondition_required"] : [],
		...query ? ["invalid_query", "validation_failed"] : [],
		...params && scope !== "public" ? ["not_found"] : [],
		...spec.problems ?? []
	];
	const scopes = spec.scope === "public" ? [] : [spec.scope, ...spec.orScopes ?? []];
	const named = scopes.map((name) => `\`${name}\``).join(", ");
	const needs = scopes.length > 1 ? `Needs one of the scopes ${named}.` : named && `Needs the scope ${named}.`;
	const description = [spec.description, needs].filter(Boolean).join(" ");
	return {
		tags: [spec.tag],
		operationId: spec.id,
		summary: spec.summary,
		...description === "" ? {} : { description },
		security: scope === "public" ? [] : security(scopes),
		...params ? { params: build_default.Object(mapValues(params, (about) => build_default.String({ description: about }))) } : {},
		...query ? { querystring: query } : {},
		...body ? { body } : {},
		...spec.headers ? { headers: spec.headers } : {},
		...changes ? { headers: changes === "edit" ? EditHeaders : ChangeHeaders } : {},
		response: {
			...spec.answers,
			...scope === "public" ? problemResponses([.../* @__PURE__ */ new Set(["invalid_header", ...problems])]) : resourceProblems(...problems)
		}
	};
}
function mapValues(record, to) {
	return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));
}
/** A word out of a list: the type of the request is the union of them. */
function oneOf(names, options = {}) {
	return build_default.Unsafe({
		type: "string",
		enum: [...names],
		...options
	});
}
/** `limit` and `cursor` of a list, beside its filters. */
function pageQuery(filters, limits) {
	return build_default.Object({
		...filters,
		limit: build_default.Optional(build_default.Integer({
			minimum: 1,
			maximum: limits.limitMax,
			description: `On a page; default ${limits.limitDefault}.`
		})),
		cursor: Cursor
	}, { additionalProperties: false });
}
/** Where a page of a list by time begins, and how it is answered: `data`, `next_cursor` and the Link header. */
async function answerPage(context, deps, input) {
	const { caller, query, request, reply } = context;
	const key = {
		organisationId: caller.organisationId,
		list: JSON.stringify(input.list)
	};
	const from = await readTimeCursor(deps.cursors, key, query.cursor);
	const page = await input.read(from, query.limit ?? input.limitDefault);
	const next = timeCursor(deps.cursors, key, page.next);
	linkNext(request, reply, deps.baseUrl, next);
	return {
		data: page.rows.map((row) => input.view(row)),
		next_cursor: next
	};
}
const LIST_LIMITS = {
	limitMax: 200,
	limitDefault: 50
};
/** An operation that lists an organisation's things by time, a page at a time. */
function list(deps, spec) {
	const { about, schema, sample, read, view, ...rest } = spec;
	return operation({
		...rest,
		method: "GET",
		query: pageQuery({}, LIST_LIMITS),
		answers: { 200: pageResponse(about, schema, sample) },
		handle: (context) => answerPage(context, deps, {
			list: [spec.id],
			limitDefault: LIST_LIMITS.limitDefault,
			read: (from, limit) => read(context.caller.organisationId, {
				from,
				limit
			}),
			view
		})
	});
}

// src/billing/usage/usage.ts
/**
* Usage by hour, day and month.
*
*  1. The rollup is derived from the ledger and nothing else: entries are added in the order of their numbers, each
*     once, up to the number kept in usage_progress, in one transaction with it.
*  2. Charging never waits for it: whoever asks for usage first brings the rollup up to the ledger, in bounded steps.
*  3. A refund counts against usage in the hour it was posted.
*/
const GRANULARITIES = [
	"hour",
	"day",
	"month"
];
const ENTRIES_PER_STEP = 2e4;
const BUCKETS_MAX = {
	hour: 744,
	day: 366,
	month: 120
};
/** Start of the hour, day or month a moment falls in. */
function bucketStartMs(granularity, timeMs) {
	if (granularity === "month") return periodStartMs(periodOf(timeMs));
	return timeMs - timeMs % (granularity === "hour" ? HOUR_MS : DAY_MS);
}
function bucketEndMs(granularity, startMs) {
	if (granularity === "month") return periodStartMs(nextPeriod(periodOf(startMs)));
	return startMs + (granularity === "hour" ? HOUR_MS : DAY_MS);
}
/** Brings the rollup of one organisation up to its ledger. */
async function rollUpUsage(sql, organisationId) {
	for (;;) {
		const account = (await sql.query(`select a.entry_seq, p.entry_seq as rolled_seq from billing_account a
       left join usage_progress p on p.organisation_id = a.organisation_id where a.organisation_id = $1`, [organisationId]))[0];
		if (!account || account.entry_seq <= (account.rolled_seq ?? 0)) return;
		await sql.transaction((tx) => rollUpStep(tx, organisationId, account.entry_seq));
	}
}
async function rollUpStep(tx, organisationId, lastSeq) {
	await tx.query("insert into usage_progress (organisation_id, entry_seq) values ($1, 0) on conflict do nothing", [organisationId]);
	const afterSeq = (await tx.query(`select entry_seq from usage_progress where organisation_id = $1 order by organisation_id${tx.forUpdate}`, [organisationId]))[0]?.entry_seq ?? 0;
	const untilSeq = Math.min(lastSeq, afterSeq + ENTRIES_PER_STEP);
	if (untilSeq <= afterSeq) return;
	const sums = await tx.query(`select created_at - created_at % ${HOUR_MS} as hour_ms, coalesce(family, '') as family,
       coalesce(credential_id, '') as credential_id,
       cast(sum(case when kind = 'refund' then -1 else 1 end) as bigint) as requests,
       cast(sum(case when kind = 'refund' then -units else units end) as bigint) as units,
       cast(sum(free_units) as bigint) as free_units,
       cast(sum(-included_delta_pence - prepaid_delta_pence) as bigint) as credit_pence,
       cast(sum(overage_delta_pence) as bigint) as overage_pence
     from ledger_entry where organisation_id = $1 and seq > $2 and seq <= $3 and kind in ('charge', 'refund')
     group by 1, 2, 3`, [
		organisationId,
		afterSeq,
		untilSeq
	]);
	for (const { table, keys, keysOf } of TABLES) {
		const rows = /* @__PURE__ */ new Map();
		for (const sum of sums) for (const granularity of GRANULARITIES) addTo(rows, [
			organisationId,
			granularity,
			bucketStartMs(granularity, sum.hour_ms),
			...keysOf(sum)
		], sum);
		await upsert(tx, table, keys, [...rows.values()]);
	}
	await tx.query("update usage_progress set entry_seq = $2 where organisation_id = $1", [organisationId, untilSeq]);
}
/** Usage of each family and credential, and of all together. */
const TABLES = [{
	table: "usage_rollup",
	keys: [
		"organisation_id",
		"granularity",
		"starts_at",
		"family",
		"credential_id"
	],
	keysOf: (sum) => [sum.family, sum.credential_id]
}, {
	table: "usage_total",
	keys: [
		"organisation_id",
		"granularity",
		"starts_at"
	],
	keysOf: () => []
}];
const AMOUNTS = [
	"requests",
	"units",
	"free_units",
	"credit_pence",
	"overage_pence"
];
function addTo(rows, keys, sum) {
	const name = JSON.stringify(keys);
	const known = rows.get(name);
	if (!known) {
		rows.set(name, [...keys, ...AMOUNTS.map((column) => sum[column])]);
		return;
	}
	for (const [i, column] of AMOUNTS.entries()) known[keys.length + i] = known[keys.length + i] + sum[column];
}
function upsert(tx, table, keys, rows) {
	const columns = [...keys, ...AMOUNTS].map((name, i) => {
		return {
			name,
			type: name !== "starts_at" && keys.includes(name) ? "text" : "bigint",
			of: (row) => row[i]
		};
	});
	const onConflict = `on conflict (${keys.join(", ")}) do update set
    ${AMOUNTS.map((column) => `${column} = mine.${column} + excluded.${column}`).join(", ")}`;
	return runStatements(tx, rowsToInsert(tx, {
		table: `${table} as mine`,
		columns,
		rows,
		onConflict
	}));
}
const SUMS = AMOUNTS.map((column) => `cast(coalesce(sum(${column}), 0) as bigint) as ${column}`).join(", ");
/** Which table holds the sums of what is asked for, in the fewest rows. */
function tableOf(query, grouped) {
	return !grouped && query.family === void 0 && query.credentialId === void 0 ? "usage_total" : "usage_rollup";
}
async function readUsage(sql, query) {
	const fromMs = bucketStartMs(query.granularity, query.fromMs);
	const toMs = bucketEndMs(query.granularity, bucketStartMs(query.granularity, query.toMs - 1));
	refuseTooWide(query.granularity, fromMs, toMs);
	await rollUpUsage(sql, query.organisationId);
	const firstMs = query.after?.startsAtMs ?? fromMs;
	const windowEndMs = query.byFamily || !query.byCredential ? toMs : Math.min(toMs, bucketsLaterMs(query.granularity, firstMs, query.limit + 1));
	const params = [
		query.organisationId,
		query.granularity,
		fromMs,
		windowEndMs
	];
	const mark = (value) => `$${params.push(value)}`;
	let where = "organisation_id = $1 and granularity = $2 and starts_at >= $3 and starts_at < $4";
	if (query.family !== void 0) where += ` and family = ${mark(query.family)}`;
	if (query.credentialId !== void 0) where += ` and credential_id = ${mark(query.credentialId)}`;
	const keys = [
		"starts_at",
		...query.byFamily ? ["family"] : [],
		...query.byCredential ? ["credential_id"] : []
	];
	if (query.after) {
		const values = [
			query.after.startsAtMs,
			...query.byFamily ? [query.after.family] : [],
			...query.byCredential ? [query.after.credentialId] : []
		];
		where += ` and starts_at >= ${mark(query.after.startsAtMs)} and (${keys.join(", ")}) > (${values.map(mark).join(", ")})`;
	}
	const several = query.after !== void 0 || bucketsLaterMs(query.granularity, fromMs, query.limit) < toMs;
	const wholeRange = () => readTotals(sql, query, fromMs, toMs);
	const pageRows = sql.query(`select ${keys.join(", ")}, ${SUMS} from ${tableOf(query, query.byFamily || query.byCredential)} where ${where}
     group by ${keys.join(", ")} order by ${keys.join(", ")} limit ${query.limit + 1}`, params);
	const [found, early] = await Promise.all([pageRows, several ? wholeRange() : void 0]);
	const page = found.slice(0, query.limit);
	const last = page.at(-1);
	const next = found.length > query.limit && last ? {
		startsAtMs: last.starts_at,
		family: last.family ?? "",
		credentialId: last.credential_id ?? ""
	} : windowEndMs < toMs ? {
		startsAtMs: windowEndMs - 1,
		family: "",
		credentialId: ""
	} : void 0;
	return {
		fromMs,
		toMs,
		rows: page.map((row) => ({
			starts_at: new Date(row.starts_at).toISOString(),
			...query.byFamily ? { family: row.family } : {},
			...query.byCredential ? { credential_id: row.credential_id } : {},
			...amountsOf(row)
		})),
		totals: early ?? (next ? await wholeRange() : addUp(page)),
		next
	};
}
function bucketsLaterMs(granularity, startMs, buckets) {
	let endMs = bucketStartMs(granularity, startMs);
	for (let i = 0; i < buckets; i++) endMs = bucketEndMs(granularity, endMs);
	return endMs;
}
/** Whole months from months, whole days from days, the rest from hours: a year costs hardly more than a month. */
async function readTotals(sql, query, fromMs, toMs) {
	const parts = [];
	const [monthsFromMs, monthsToMs] = inside("month", fromMs, toMs);
	for (const [startMs, endMs] of [[fromMs, monthsFromMs], [monthsToMs, toMs]]) {
		const [daysFromMs, daysToMs] = inside("day", startMs, endMs);
		parts.push([
			"hour",
			startMs,
			daysFromMs
		], [
			"day",
			daysFromMs,
			daysToMs
		], [
			"hour",
			daysToMs,
			endMs
		]);
	}
	parts.push([
		"month",
		monthsFromMs,
		monthsToMs
	]);
	return addUp((await Promise.all(parts.filter(([, startMs, endMs]) => endMs > startMs).map(([granularity, startMs, endMs]) => {
		const params = [
			query.organisationId,
			granularity,
			startMs,
			endMs
		];
		const mark = (value) => `$${params.push(value)}`;
		let where = "organisation_id = $1 and granularity = $2 and starts_at >= $3 and starts_at < $4";
		if (query.family !== void 0) where += ` and family = ${mark(query.family)}`;
		if (query.credentialId !== void 0) where += ` and credential_id = ${mark(query.credentialId)}`;
		return sql.query(`select ${SUMS} from ${tableOf(query, false)} where ${where}`, params);
	}))).flat());
}
/** The whole months (or days) within a range; an empty range at its start when there is none. */
function inside(granularity, fromMs, toMs) {
	const flooredMs = bucketStartMs(granularity, fromMs);
	const startMs = flooredMs === fromMs ? fromMs : bucketEndMs(granularity, flooredMs);
	const endMs = bucketStartMs(granularity, toMs);
	return endMs > startMs ? [startMs, endMs] : [toMs, toMs];
}
/** What a range is shown by unless the caller says: as fine as a person can still read. */
function granularityFor(fromMs, toMs) {
	const days = (toMs - fromMs) / DAY_MS;
	return days <= 2 ? "hour" : days <= 92 ? "day" : "month";
}
function refuseTooWide(granularity, fromMs, toMs) {
	const oneMs = granularity === "hour" ? HOUR_MS : granularity === "day" ? DAY_MS : 31 * DAY_MS;
	if (toMs <= fromMs) throw new Problem("invalid_query", { detail: "`to` must be after `from`." });
	if ((toMs - fromMs) / oneMs > BUCKETS_MAX[granularity]) throw new Problem("invalid_query", { detail: `By ${granularity}, at most ${BUCKETS_MAX[granularity]} ${granularity}s at a time: narrow the range, or choose a coarser granularity.` });
}
function amountsOf(sum) {
	return {
		requests: sum.requests,
		units: sum.units,
		free_units: sum.free_units,
		charged_from_credit_pence: sum.credit_pence,
		overage_pence: sum.overage_pence,
		total_price_pence: sum.credit_pence + sum.overage_pence
	};
}
function addUp(rows) {
	const total = {
		family: "",
		credential_id: "",
		requests: 0,
		units: 0,
		free_units: 0,
		credit_pence: 0,
		overage_pence: 0
	};
	for (const row of rows) {
		total.requests += row.requests;
		total.units += row.units;
		total.free_units += row.free_units;
		total.credit_pence += row.credit_pence;
		total.overage_pence += row.overage_pence;
	}
	return amountsOf(total);
}
/** What was owed beyond the credit for requests of one month. */
async function overageOfMonth(sql, organisationId, period) {
	await rollUpUsage(sql, organisationId);
	return (await sql.query(`select overage_pence from usage_total
     where organisation_id = $1 and granularity = 'month' and starts_at = $2`, [organisationId, periodStartMs(period)]))[0]?.overage_pence ?? 0;
}
const BEHIND_MIN = 1e3;
const LOOKED_AT_TOGETHER = 500;
/** Those whose usage is far behind their ledger, so that a first reader does not wait for all of it. */
async function rollUpBusy(sql, signal) {
	for (let after = ""; after !== void 0 && !signal?.aborted;) {
		const rows = await sql.query(`select a.organisation_id, a.entry_seq - coalesce((select p.entry_seq from usage_progress p
         where p.organisation_id = a.organisation_id), 0) as behind
       from billing_account a where a.organisation_id > $1 order by a.organisation_id limit ${LOOKED_AT_TOGETHER}`, [after]);
		for (const { organisation_id: organisationId, behind } of rows) {
			if (signal?.aborted) return;
			if (behind >= BEHIND_MIN) await rollUpUsage(sql, organisationId);
		}
		after = rows.length < LOOKED_AT_TOGETHER ? void 0 : rows.at(-1)?.organisation_id;
	}
}

// src/billing/alerts/alerts.ts
const ALERT_KINDS = ["credit_below", "overage_above"];
const ALERTS_MAX = 20;
const alerts = defineTable({
	name: "billing_alert",
	key: ["id"],
	fixed: ["organisation_id", "created_at"],
	columns: {
		id: text(),
		organisation_id: text(),
		kind: text(),
		threshold_pence: integer(),
		created_at: integer(),
		triggered_at: orNull(integer())
	}
});
function isCrossed(alert, figures) {
	return alert.kind === "credit_below" ? figures.creditPence < alert.threshold_pence : figures.overagePence > alert.threshold_pence;
}
async function createAlert(tx, actor, input) {
	await lockOrganisation(tx, actor.organisationId);
	if (await alerts.count(tx, { organisation_id: actor.organisationId }) >= 20) throw new Problem("conflict", { detail: `There are ${20} alerts. Remove some first.` });
	const watched = {
		kind: input.kind,
		threshold_pence: input.thresholdPence
	};
	const alert = await alerts.insert(tx, {
		id: newId("alr"),
		organisation_id: actor.organisationId,
		...watched,
		created_at: tx.nowMs,
		triggered_at: isCrossed(watched, input.figures) ? tx.nowMs : null
	});
	await audit(tx, actor, "alert.create", alert.id, watched);
	return alert;
}
async function deleteAlert(tx, actor, id) {
	const own = {
		id,
		organisation_id: actor.organisationId
	};
	const alert = await alerts.lock(tx, own);
	if (!alert) throw new Problem("not_found", { detail: "There is no such alert." });
	await alerts.delete(tx, own);
	await audit(tx, actor, "alert.delete", id, {
		kind: alert.kind,
		threshold_pence: alert.threshold_pence
	});
}
/** The alerts as they stand now; a change of standing is kept with its time. */
async function readAlerts({ sql, clock }, input) {
	const list = () => alerts.list(sql, { organisation_id: input.organisationId }, {
		order: "created_at, id",
		limit: 20
	});
	const standing = ({ triggered_at }) => triggered_at !== null;
	const known = await list();
	const changed = known.filter((alert) => isCrossed(alert, input.figures) !== standing(alert));
	if (changed.length === 0) return known;
	await changeIn(sql, clock, async (tx) => {
		for (const before of changed) {
			const alert = await alerts.lock(tx, { id: before.id });
			if (!alert || standing(alert) !== standing(before)) continue;
			await alerts.update(tx, {
				...alert,
				triggered_at: standing(alert) ? null : tx.nowMs
			});
		}
	});
	return list();
}

// src/billing/alerts/http.ts
const AlertSchema = build_default.Object({
	id: build_default.String(),
	kind: oneOf(ALERT_KINDS, { description: "What is watched: credit left, or overage of this month." }),
	threshold_pence: Pence("Crossed below it (credit) or above it (overage)."),
	triggered: build_default.Boolean(),
	triggered_at: TimeOrNull("When it was first seen crossed."),
	created_at: Time$1("When it was set.")
});
const sampleAlert = {
	id: "alr_4RtYuIoPaSdFgHjKlZxC",
	kind: "credit_below",
	threshold_pence: 1e3,
	triggered: false,
	triggered_at: null,
	created_at: "2026-03-01T09:00:00.000Z"
};
function alertOperations(deps) {
	return [
		operation({
			method: "GET",
			path: "/v1/billing/alerts",
			id: "listAlerts",
			tag: "Billing",
			summary: "List the alerts and how they stand",
			scope: "billing:read",
			answers: { 200: jsonResponse(`All of them, ${20} at most.`, build_default.Object({ data: build_default.Array(AlertSchema) }), { data: [sampleAlert] }) },
			handle: async ({ caller: { organisationId } }) => {
				const figures = await figuresOf(deps, organisationId);
				return { data: (await readAlerts(deps, {
					organisationId,
					figures
				})).map(alertView) };
			}
		}),
		change({
			method: "POST",
			path: "/v1/billing/alerts",
			id: "createAlert",
			tag: "Billing",
			summary: "Set an alert on credit or overage",
			scope: "billing:write",
			body: build_default.Object({
				kind: oneOf(ALERT_KINDS),
				threshold_pence: build_default.Integer({
					minimum: 0,
					maximum: 0xe8d4a51000
				})
			}, {
				additionalProperties: false,
				examples: [{
					kind: "credit_below",
					threshold_pence: 1e3
				}]
			}),
			answers: { 201: jsonResponse("The alert.", AlertSchema, sampleAlert, REPLAYED_HEADER) },
			problems: ["conflict"],
			prepare: ({ request }) => figuresOf(deps, callerOf(request).organisationId),
			handle: async (tx, { actor, body, prepared: figures }) => {
				const { kind, threshold_pence: thresholdPence } = body;
				return {
					status: 201,
					body: alertView(await createAlert(tx, actor, {
						kind,
						thresholdPence,
						figures
					}))
				};
			}
		}),
		change({
			method: "DELETE",
			path: "/v1/billing/alerts/{alert_id}",
			id: "deleteAlert",
			tag: "Billing",
			summary: "Remove an alert",
			scope: "billing:write",
			params: { alert_id: "Id of the alert." },
			answers: { 204: noContent("Removed.") },
			handle: async (tx, { actor, params }) => {
				await deleteAlert(tx, actor, params.alert_id);
				return { status: 204 };
			}
		})
	];
}
async function figuresOf(deps, organisationId) {
	const account = await readAccount(deps, organisationId);
	const overagePence = await overageOfMonth(deps.sql, organisationId, account.period);
	return {
		creditPence: account.includedPence + account.prepaidPence,
		overagePence
	};
}
function alertView(alert) {
	return {
		id: alert.id,
		kind: alert.kind,
		threshold_pence: alert.threshold_pence,
		triggered: alert.triggered_at !== null,
		triggered_at: alert.triggered_at === null ? null : new Date(alert.triggered_at).toISOString(),
		created_at: new Date(alert.created_at).toISOString()
	};
}

// src/lib/row-estimate.ts
/**
* About how many rows there are, without a count for each request: counted now and then, and what this process added
* since. What other nodes add is seen at the next count.
*/
const COUNTED_MS = 1e4;
/** When there seems to be no room: rows may have ended meanwhile. */
const FULL_COUNTED_MS = 1e3;
var RowEstimate = class {
	#rowsMax;
	#count;
	#known = 0;
	#added = 0;
	#underWay = 0;
	#countedAtMs = Number.NEGATIVE_INFINITY;
	#counting;
	constructor(rowsMax, count) {
		this.#rowsMax = rowsMax;
		this.#count = count;
	}
	/**
	* Carries out `write`, which adds a row, if there is room for it; otherwise throws what `full` makes. `clear` deletes
	* what has ended, and is called when there seems to be no room. `beyond`: how many rows above the bound this one may go.
	*/
	async add(write, { full, clear, beyond = 0 }) {
		const ageMs = performance.now() - this.#countedAtMs;
		if (ageMs > COUNTED_MS || this.#isFull(beyond) && ageMs > FULL_COUNTED_MS) {
			this.#counting ??= this.#countAgain(clear).finally(() => {
				this.#counting = void 0;
			});
			await this.#counting;
		}
		if (this.#isFull(beyond)) throw full();
		this.#added++;
		this.#underWay++;
		try {
			return await write();
		} finally {
			this.#underWay--;
		}
	}
	#isFull(beyond = 0) {
		return this.#known + this.#added >= this.#rowsMax + beyond;
	}
	async #countAgain(clear) {
		if (this.#isFull()) await clear();
		const [before, underWay] = [this.#added, this.#underWay];
		this.#known = await this.#count();
		this.#added += underWay - before;
		this.#countedAtMs = performance.now();
	}
};

// src/identity/people/throttle.ts
/** Windows in all. Strangers begin them; one is some 150 bytes until it ends and the purge deletes it. */
const WINDOWS_MAX = 1e5;
const CROWDED_WAIT_MS = MINUTE_MS;
async function findWindow(sql, digest) {
	return (await sql.query("select attempts, ends_at from attempt_window where key = $1", [digest]))[0];
}
/**
* Takes as many of `wanted` attempts as are left, and says until when they are counted. Counted before the work, so
* that many at once do not slip through. Who gets none writes nothing, except once after a clock was set back: a window
* that ends later than it could is made as short as a new one.
*/
async function takeAttempts(sql, key, limit, nowMs, { wanted, isNew = (write) => write() }) {
	const { attemptsMax, windowMs } = limit;
	const digest = sha256Hex(key);
	const found = await findWindow(sql, digest);
	if (found && isUsedUp(found, limit, nowMs)) return {
		taken: 0,
		endsAtMs: found.ends_at
	};
	const take = async () => {
		return (await sql.query(`insert into attempt_window (key, attempts, ends_at) values ($1, $4, $3)
       on conflict (key) do update set
         attempts = case when attempt_window.ends_at <= $2 then excluded.attempts
           else attempt_window.attempts + excluded.attempts end,
         ends_at = case when attempt_window.ends_at > $2 and attempt_window.ends_at <= $3
           then attempt_window.ends_at else excluded.ends_at end
       where attempt_window.ends_at <= $2 or attempt_window.ends_at > $3 or attempt_window.attempts < $5
       returning attempts, ends_at`, [
			digest,
			nowMs,
			nowMs + windowMs,
			wanted,
			attemptsMax
		]))[0];
	};
	const window = found ? await take() : await isNew(take);
	if (window) {
		const over = Math.max(0, window.attempts - attemptsMax);
		return {
			taken: Math.max(0, wanted - over),
			endsAtMs: window.ends_at
		};
	}
	return {
		taken: 0,
		endsAtMs: (await findWindow(sql, digest))?.ends_at ?? nowMs + windowMs
	};
}
/** Takes one attempt of somebody unknown; returns how long to wait when there are none left. */
async function takeAttempt(sql, key, limit, nowMs) {
	const windows = windowsOf(sql);
	const { taken, endsAtMs } = await takeAttempts(sql, key, limit, nowMs, {
		wanted: 1,
		isNew: (write) => windows.add(write, {
			full: () => waiting(CROWDED_WAIT_MS, "Too many are trying at the same time."),
			clear: () => purgeAttempts(sql, nowMs)
		})
	});
	return { waitMs: taken > 0 ? 0 : Math.max(1, endsAtMs - nowMs) };
}
/**
* How many of its networks (/64) a site may use up before it has to wait as a whole. Providers divide a /48 among customers:
* one of them alone is not to use it up for all.
*/
const NETWORKS_PER_SITE = 64;
/**
* Takes one attempt at something from an address. The 65,536 networks that one IPv6 site can come from are counted
* together as well, so that nobody uses up the windows of all others.
*/
async function takeAttemptFrom(sql, what, ip, limit, nowMs) {
	const { address, site } = keysOf(what, ip);
	if (!site) return takeAttempt(sql, address, limit, nowMs);
	const siteLimit = {
		...limit,
		attemptsMax: limit.attemptsMax * NETWORKS_PER_SITE
	};
	const all = await waitFor(sql, site, siteLimit, nowMs);
	if (all.waitMs > 0) return all;
	const own = await takeAttempt(sql, address, limit, nowMs);
	return own.waitMs > 0 ? own : takeAttempt(sql, site, siteLimit, nowMs);
}
/** Gives such an attempt back: it was a good one. */
async function returnAttemptFrom(sql, what, ip) {
	const { address, site } = keysOf(what, ip);
	await Promise.all([returnAttempt(sql, address), site && returnAttempt(sql, site)]);
}
function keysOf(what, ip) {
	const [address, site] = [addressKey(ip), siteKey(ip)];
	return {
		address: `${what} ${address}`,
		...site === address ? {} : { site: `${what} ${site}` }
	};
}
/** How long somebody would have to wait, without an attempt being taken. */
async function waitFor(sql, key, limit, nowMs) {
	const window = await findWindow(sql, sha256Hex(key));
	return { waitMs: window && isUsedUp(window, limit, nowMs) ? window.ends_at - nowMs : 0 };
}
function isUsedUp({ attempts, ends_at }, { attemptsMax, windowMs }, nowMs) {
	return attempts >= attemptsMax && ends_at > nowMs && ends_at <= nowMs + windowMs;
}
/** One estimate for each store, whoever counts attempts in it. */
const estimates = /* @__PURE__ */ new WeakMap();
function windowsOf(sql) {
	const known = estimates.get(sql);
	if (known) return known;
	const made = new RowEstimate(WINDOWS_MAX, async () => {
		return (await sql.query("select count(*) as n from (select ends_at from attempt_window order by ends_at limit $1) as windows", [WINDOWS_MAX]))[0]?.n ?? 0;
	});
	estimates.set(sql, made);
	return made;
}
/** 429 when there is something to wait for; `what` says what there was too much of. */
function refuseWait(waitMs, what) {
	if (waitMs > 0) throw waiting(waitMs, what);
}
function waiting(waitMs, what) {
	const seconds = Math.max(1, Math.ceil(waitMs / 1e3));
	return new Problem("rate_limited", {
		detail: `${what} Wait ${seconds} s, then try again.`,
		headers: { "retry-after": String(seconds) }
	});
}
async function returnAttempt(sql, key) {
	await sql.query("update attempt_window set attempts = attempts - 1 where key = $1 and attempts > 0", [sha256Hex(key)]);
}
async function forgetAttempts(sql, key) {
	await sql.query("delete from attempt_window where key = $1", [sha256Hex(key)]);
}
function purgeAttempts(sql, nowMs) {
	return deleteInSteps(sql, `delete from attempt_window where key in
       (select key from attempt_window where ends_at <= $1 order by ends_at limit ${PURGE_BATCH}) returning 1 as one`, nowMs);
}
/** Whose attempts are counted together: an IPv4 address, or the /64 an IPv6 host can move about in. */
function addressKey(ip) {
	return prefixOf(ip, 4);
}
/** The /48 of an IPv6 address, which is the most that one site is usually given; an IPv4 address itself. */
function siteKey(ip) {
	return prefixOf(ip, 3);
}
function prefixOf(ip, groupsKept) {
	if (!ip.includes(":")) return ip;
	const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
	if (mapped?.[1]) return mapped[1];
	const [head = "", tail] = ip.split("%")[0].split("::");
	const first = head === "" ? [] : head.split(":");
	const last = tail === void 0 || tail === "" ? [] : tail.split(":");
	return `${[
		...first,
		...Array(Math.max(0, 8 - first.length - last.length)).fill("0"),
		...last
	].slice(0, groupsKept).map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/${16 * groupsKept}`;
}

// src/billing/payments/http.ts
/** Paying an invoice, and what payment providers tell us. */
const PaymentSchema = build_default.Object({ url: build_default.Union([build_default.String(), build_default.Null()], { description: "Page of the payment provider; null where the operator settles invoices: see how to pay." }) });
const HowToPaySchema = build_default.Object({
	by_card: build_default.Boolean({ description: "Whether the invoice can be paid on a page of the payment provider." }),
	instructions: build_default.Union([build_default.String(), build_default.Null()], { description: "Bank details as the operator wrote them; null where there are none: ask the operator." }),
	reference: build_default.String({ description: "To be given with the transfer." }),
	amount_pence: Pence("To be paid."),
	due_at: Time$1("When it is due.")
});
const sampleHowToPay = {
	by_card: false,
	instructions: "Example Bank, sort code 00-00-00, account 12345678",
	reference: "INV-3",
	amount_pence: 9950,
	due_at: "2026-03-15T00:00:00.000Z"
};
const invoiceParams$1 = { invoice_id: "Id of the invoice." };
function paymentOperations(deps) {
	return [
		operation({
			method: "POST",
			path: "/v1/billing/invoices/{invoice_id}/payment",
			id: "payInvoice",
			tag: "Billing",
			summary: "Start paying an invoice",
			description: "Asked again, the same page comes back: nothing is paid twice.",
			scope: "billing:write",
			params: invoiceParams$1,
			answers: { 200: jsonResponse("Where to pay.", PaymentSchema, { url: "https://checkout.stripe.com/c/pay/cs_test_a1" }) },
			problems: ["conflict", "payment_unavailable"],
			handle: async ({ caller, params }) => {
				const invoice = await requireInvoice(deps.sql, params.invoice_id, caller.organisationId);
				const page = `${deps.baseUrl}/console/billing?invoice=${invoice.id}`;
				return startPayment(deps, invoice, {
					description: `Invoice ${invoice.number}`,
					returnUrl: page,
					cancelUrl: page
				});
			}
		}),
		operation({
			method: "GET",
			path: "/v1/billing/invoices/{invoice_id}/payment",
			id: "howToPay",
			tag: "Billing",
			summary: "Read how an invoice is paid",
			scope: "billing:read",
			params: invoiceParams$1,
			answers: { 200: jsonResponse("How to pay.", HowToPaySchema, sampleHowToPay) },
			handle: async ({ caller, params }) => howToPay(deps, await requireInvoice(deps.sql, params.invoice_id, caller.organisationId))
		}),
		operation({
			method: "POST",
			path: "/v1/webhooks/stripe",
			id: "receiveStripeEvent",
			tag: "Checkout",
			summary: "Messages of Stripe",
			description: "Called by Stripe, which signs every message. A message that comes again changes nothing.",
			scope: "public",
			headers: build_default.Object({ "stripe-signature": build_default.String() }),
			body: build_default.Object({}, {
				additionalProperties: true,
				description: "An event object of Stripe.",
				examples: [{
					id: "evt_1",
					object: "event"
				}]
			}),
			answers: { 200: jsonResponse("Taken.", build_default.Object({ received: build_default.Boolean() }), { received: true }) },
			problems: [
				"signature_invalid",
				"malformed_json",
				"body_too_large",
				"unsupported_media_type",
				"validation_failed",
				"not_found",
				"internal",
				"store_unavailable",
				"overloaded",
				"shutting_down"
			],
			handle: async ({ request }) => {
				const { readEvent } = deps.payments;
				if (!readEvent) throw new Problem("not_found", { detail: "Payments do not go through Stripe here." });
				const signature = request.headers["stripe-signature"];
				const event = readEvent(request.rawBody ?? Buffer.alloc(0), typeof signature === "string" ? signature : "", Math.min(deps.clock.now(), systemClock.now()));
				const by = (organisationId) => systemIn(organisationId, {
					id: deps.payments.name,
					ip: request.ip,
					requestId: request.id
				});
				const touched = await changeIn(deps.sql, deps.clock, (tx) => act(tx, deps, event, by));
				if (touched) await deps.onAccountChanged(touched);
				return { received: true };
			}
		})
	];
}
/** Where an open invoice is paid. */
async function startPayment(deps, invoice, words) {
	if (invoice.state !== "open") throw new Problem("conflict", { detail: `The invoice is ${invoice.state}: there is nothing to pay.` });
	const subscription = await subscriptions.find(deps.sql, { organisationId: invoice.organisation_id });
	return { url: (await deps.payments.startPayment({
		invoiceId: invoice.id,
		organisationId: invoice.organisation_id,
		amountPence: invoice.total_pence,
		payer: subscription?.payer ?? null,
		...words
	}))?.url ?? null };
}
function howToPay(deps, invoice) {
	return {
		by_card: deps.payments.name !== "invoice",
		instructions: deps.settings.paymentInstructions,
		reference: paymentReference(invoice),
		amount_pence: invoice.total_pence,
		due_at: iso(invoice.due_at)
	};
}
/** Acts on a message once; returns the organisation it changed. */
async function act(tx, deps, event, by) {
	if (event.kind === "ignored" || !await firstTime(tx, event.id)) return null;
	const provider = deps.payments.name;
	if (event.kind === "followed") {
		const followed = await followPayment(tx, deps, {
			provider,
			reference: event.reference
		}, event.what, by);
		const about = {
			event_id: event.id,
			reference: event.reference,
			...event.what
		};
		if (!followed) {
			await keepAftermath(tx, {
				provider,
				reference: event.reference
			}, event.what);
			deps.logger.error(about, "a refund or dispute of a payment nobody knows yet");
		} else if (!followed.repeated) deps.logger.warn(about, "a payment was refunded or disputed");
		return followed?.payment.organisation_id ?? null;
	}
	const { payment, repeated } = await receivePayment(tx, deps, {
		...event.received,
		provider
	}, by);
	const about = {
		event_id: event.id,
		payment_id: payment.id,
		invoice_id: event.received.invoiceId
	};
	if (payment.outcome === "unmatched") deps.logger.error(about, "payment not matched");
	else if (payment.outcome === "credited" && !repeated) deps.logger.warn(about, "payment became credit");
	return payment.organisation_id;
}

// src/billing/invoices/invoice-view.ts
/** An invoice as the API shows it. */
const InvoiceSchema = build_default.Object({
	id: build_default.String(),
	number: build_default.Integer({ minimum: 1 }),
	kind: oneOf(INVOICE_KINDS),
	state: oneOf(INVOICE_STATES),
	in_advance: build_default.Boolean({ description: "What it is for is given when it is paid. While it is open it can be cancelled, and never falls overdue." }),
	total_pence: Pence("To be paid."),
	lines: build_default.Array(build_default.Object({
		kind: oneOf(LINE_KINDS),
		month: build_default.String(),
		description: build_default.String(),
		amount_pence: Pence("Amount.")
	})),
	issued_at: Time$1("When it was issued."),
	due_at: Time$1("When it is due."),
	settled_at: TimeOrNull("When it was paid or cancelled.")
});
const sampleInvoice = {
	id: "bil_1QwErTyUiOpAsDfGhJkL",
	number: 3,
	kind: "subscription",
	state: "open",
	in_advance: false,
	total_pence: 9950,
	lines: [{
		kind: "overage",
		month: "2026-02",
		description: "Checks beyond the credit, 2026-02",
		amount_pence: 50
	}, {
		kind: "plan",
		month: "2026-03",
		description: "Growth, 2026-03",
		amount_pence: 9900
	}],
	issued_at: "2026-03-01T00:00:00.000Z",
	due_at: "2026-03-15T00:00:00.000Z",
	settled_at: null
};
function invoiceView(invoice) {
	return {
		id: invoice.id,
		number: invoice.number,
		kind: invoice.kind,
		state: invoice.state,
		in_advance: invoice.in_advance,
		total_pence: invoice.total_pence,
		lines: invoice.lines.map(({ plan_id: _, plan_price_pence: __, ...line }) => line),
		issued_at: iso(invoice.issued_at),
		due_at: iso(invoice.due_at),
		settled_at: isoOrNull(invoice.settled_at)
	};
}

// src/billing/subscription/account-view.ts
/** An account as its owner and the operator see it. */
async function billingView(deps, organisationId) {
	await bringToPresent(deps, organisationId);
	const account = await readAccount(deps, organisationId);
	const [overagePence, subscription, organisation] = await Promise.all([
		overageOfMonth(deps.sql, organisationId, account.period),
		subscriptions.find(deps.sql, { organisationId }),
		requireOrganisation(deps.sql, organisationId)
	]);
	const plan = planOf(deps.plans, account);
	return {
		organisation_id: organisationId,
		state: organisation.state,
		plan,
		credit_pence: account.includedPence + account.prepaidPence,
		included_credit_pence: account.includedPence,
		prepaid_credit_pence: account.prepaidPence,
		overage_pence: overagePence,
		overage_owed_pence: account.overagePence,
		free_units: plan.free_units,
		free_units_used: account.freeUnitsUsed,
		free_units_left: Math.max(0, termsOf(account, plan).free_units - account.freeUnitsUsed),
		period: {
			month: account.period,
			starts_at: iso(periodStartMs(account.period)),
			ends_at: iso(periodEndMs(account.period))
		},
		subscription: subscription ? await subscriptionView(deps, deps.sql, subscription, plan.id) : null
	};
}
async function subscriptionView(deps, sql, subscription, planId) {
	const { standing: now, atMs } = await readStanding(sql, deps, subscription.organisationId, deps.clock.now());
	const ended = subscription.endsAtMs !== null && subscription.endsAtMs <= atMs;
	return {
		status: ended ? "ended" : statusOf$1(now.reason),
		plan: planId,
		next_plan: subscription.nextPlanId,
		ends_at: ended ? null : isoOrNull(subscription.endsAtMs),
		started_at: iso(subscription.startedAtMs),
		stopped_at: isoOrNull(ended ? subscription.endsAtMs : now.sinceMs),
		provider: subscription.provider
	};
}
function statusOf$1(reason) {
	if (reason === "first_payment") return "pending";
	if (reason === "deactivated") return "ended";
	return reason === "overdue" || reason === "disputed" ? "past_due" : "active";
}
async function standingView(deps, organisationId) {
	await bringToPresent(deps, organisationId);
	const { standing: now, ...known } = await readStanding(deps.sql, deps, organisationId, deps.clock.now());
	const { facts, open, account } = known;
	const { plan } = facts;
	const limit = plan.overage_allowed ? now.overageLimitPence ?? plan.overage_limit_pence ?? null : 0;
	const waiting = open.find((invoice) => invoice.in_advance && invoice.kind === "subscription");
	const first = open.find((invoice) => invoice.id === now.payFirst?.id);
	return {
		state: now.state,
		served: now.state === "active",
		reason: now.reason,
		detail: now.reason === null ? null : STATE_REASONS[now.reason],
		owed_pence: now.owedPence,
		pay_first: first ? invoiceView(first) : null,
		waiting_plan: waiting?.lines[0]?.plan_id ?? null,
		month_paid: facts.subscription === void 0 || facts.coveredPence >= facts.pricePence,
		overage_limit_pence: limit,
		overage_left_pence: limit === null ? null : Math.max(0, limit - account.overagePence)
	};
}
/** What choosing each plan, and what ending the subscription, would bring about now. */
async function choicesView(deps, organisationId) {
	await bringToPresent(deps, organisationId);
	const { facts, open, paid, account, subscription, atMs } = await readStanding(deps.sql, deps, organisationId, deps.clock.now());
	const { state } = standing({
		...facts,
		disabled: false,
		awaitingApproval: false
	}, atMs);
	const running = subscription !== void 0 && state === "active";
	const hasMonth = running && facts.coveredPence >= facts.pricePence;
	const nextMonth = iso(periodEndMs(account.period));
	const data = offeredPlans(deps, facts.plan).map((plan) => {
		const later = waitsForNextMonth(hasMonth, facts.plan, plan);
		const { begins, invoicePence } = later ? {
			begins: "next_month",
			invoicePence: 0
		} : purchaseOf(plan, paid, facts);
		return {
			plan: plan.id,
			begins,
			begins_at: later ? nextMonth : null,
			invoice_pence: invoicePence,
			next_invoice_pence: plan.monthly_price_pence,
			next_invoice_at: nextMonth
		};
	});
	const waits = open.some((invoice) => invoice.in_advance && invoice.kind === "subscription");
	return {
		data,
		ending: canEnd({
			...facts,
			waits
		}, atMs) ? {
			ends_at: running ? nextMonth : null,
			invoice_now_pence: Math.max(0, await overageToInvoice(deps.sql, account, account.period))
		} : null
	};
}

// src/billing/subscription/http.ts
/** Plan, credit, standing and subscription. */
const samplePlan = {
	id: "growth",
	name: "Growth",
	monthly_price_pence: 9900,
	included_credit_pence: 12e3,
	unit_price_pence: {
		"payment-risk": 2,
		"supply-chain-risk": 2,
		"infrastructure-risk": 1
	},
	free_units: 0,
	overage_allowed: true,
	overage_limit_pence: 1e5,
	requests_per_second: 500,
	bulk_allowed: true
};
const PeriodSchema = build_default.Object({
	month: build_default.String({ description: "Calendar month, UTC: YYYY-MM." }),
	starts_at: Time$1("First moment."),
	ends_at: Time$1("First moment after it.")
}, { description: "The billing period." });
const SubscriptionSchema = build_default.Object({
	status: oneOf([
		"active",
		"pending",
		"past_due",
		"ended"
	], { description: "pending: it begins when its first invoice is paid. past_due: an invoice is overdue, or a payment disputed. In both the account is inactive." }),
	plan: build_default.String(),
	next_plan: build_default.Union([build_default.String(), build_default.Null()], { description: "From next month on." }),
	ends_at: TimeOrNull("When it ends, if it was ended at the end of the month."),
	started_at: Time$1("When it began."),
	stopped_at: TimeOrNull("Since when it does not run."),
	provider: build_default.String({ description: "Who moves the money: `invoice` or `stripe`." })
}, { description: "The subscription." });
const sampleSubscription = {
	status: "active",
	plan: "growth",
	next_plan: null,
	ends_at: null,
	started_at: "2026-01-05T09:00:00.000Z",
	stopped_at: null,
	provider: "invoice"
};
const BillingSchema = build_default.Object({
	organisation_id: build_default.String(),
	state: oneOf(ORGANISATION_STATES, { description: "State of the account." }),
	plan: PlanSchema,
	credit_pence: Pence("Credit left: included and prepaid."),
	included_credit_pence: Pence("Of it, the part that expires with the period."),
	prepaid_credit_pence: Pence("Of it, the part that stays."),
	overage_pence: build_default.Integer({ description: "Beyond the credit, in this period." }),
	overage_owed_pence: Pence("Beyond the credit and not settled yet, this period included."),
	free_units: Pence("Free records of the plan a period."),
	free_units_used: build_default.Integer({ description: "Of them, used." }),
	free_units_left: Pence("Of them, left."),
	period: PeriodSchema,
	subscription: build_default.Union([SubscriptionSchema, build_default.Null()], { description: "null for an organisation the operator set up without one." })
});
const StandingSchema = build_default.Object({
	state: oneOf(ORGANISATION_STATES),
	served: build_default.Boolean({ description: "Whether checks are answered now." }),
	reason: build_default.Union([oneOf(Object.keys(STATE_REASONS)), build_default.Null()], { description: "Why checks are not answered; null while they are." }),
	detail: build_default.Union([build_default.String(), build_default.Null()], { description: "The same in words, with what to do." }),
	owed_pence: Pence("Of invoices that are due or will be: what was given and is not paid."),
	pay_first: build_default.Union([InvoiceSchema, build_default.Null()], { description: "The invoice to pay first: an overdue one, or the one that a plan waits for." }),
	waiting_plan: build_default.Union([build_default.String(), build_default.Null()], { description: "The plan that begins when its invoice is paid." }),
	month_paid: build_default.Boolean({ description: "Whether the price of this month is paid or invoiced. Without it a paid plan gives no credit and no overage." }),
	overage_limit_pence: build_default.Union([Pence("Limit."), build_default.Null()], { description: "How much may be owed beyond the credit; null: no limit." }),
	overage_left_pence: build_default.Union([Pence("Left."), build_default.Null()], { description: "Of it, what is left; null: no limit." })
});
const ChoiceSchema = build_default.Object({
	plan: build_default.String({ description: "Id of the plan." }),
	begins: oneOf(BEGINNINGS, { description: "now: at once. when_paid: when the invoice that choosing it makes is paid. next_month: with the next month." }),
	begins_at: TimeOrNull("When the next month begins, for plans that begin with it."),
	invoice_pence: Pence("What is invoiced at once for it; 0: nothing."),
	next_invoice_pence: Pence("What it costs when the next month begins, and every month after that; 0: nothing."),
	next_invoice_at: Time$1("When the next month begins.")
});
const EndingSchema = build_default.Object({
	ends_at: TimeOrNull("The first moment without it, when it is ended with the month; null: it can only end now."),
	invoice_now_pence: Pence("What was used beyond the credit, and is invoiced at once when it is ended now.")
});
function subscriptionOperations(deps) {
	return [
		operation({
			method: "GET",
			path: "/v1/plans",
			id: "listPlans",
			tag: "Billing",
			summary: "List the plans and their prices",
			description: "Public: needs no credential.",
			scope: "public",
			answers: { 200: jsonResponse("The plans.", build_default.Object({ data: build_default.Array(PlanSchema) }), { data: [samplePlan] }) },
			problems: [
				"internal",
				"overloaded",
				"shutting_down"
			],
			handle: async ({ reply }) => {
				reply.header("cache-control", "public, max-age=300");
				return { data: [...deps.plans.values()] };
			}
		}),
		operation({
			method: "GET",
			path: "/v1/billing",
			id: "readBilling",
			tag: "Billing",
			summary: "Read plan, state, credit and overage",
			scope: "billing:read",
			answers: { 200: jsonResponse("The account as it stands now.", BillingSchema, {
				organisation_id: "org_0Fv3kQ2mXb7TzR1yLw9c",
				state: "active",
				plan: samplePlan,
				credit_pence: 11250,
				included_credit_pence: 11250,
				prepaid_credit_pence: 0,
				overage_pence: 0,
				overage_owed_pence: 0,
				free_units: 0,
				free_units_used: 0,
				free_units_left: 0,
				period: {
					month: "2026-03",
					starts_at: "2026-03-01T00:00:00.000Z",
					ends_at: "2026-04-01T00:00:00.000Z"
				},
				subscription: sampleSubscription
			}) },
			handle: ({ caller }) => billingView(deps, caller.organisationId)
		}),
		operation({
			method: "GET",
			path: "/v1/billing/standing",
			id: "readStanding",
			tag: "Billing",
			summary: "Read whether checks are answered, why not, and what to pay",
			scope: "billing:read",
			answers: { 200: jsonResponse("The standing.", StandingSchema, {
				state: "inactive",
				served: false,
				reason: "overdue",
				detail: STATE_REASONS.overdue,
				owed_pence: 9950,
				pay_first: sampleInvoice,
				waiting_plan: null,
				month_paid: true,
				overage_limit_pence: 1e5,
				overage_left_pence: 99950
			}) },
			handle: ({ caller }) => standingView(deps, caller.organisationId)
		}),
		operation({
			method: "GET",
			path: "/v1/billing/plans",
			id: "listPlanChoices",
			tag: "Billing",
			summary: "List the plans to choose from, and what choosing each brings about",
			description: "The plans offered to customers, and the present one. Choosing the present one keeps or renews it.",
			scope: "billing:read",
			answers: { 200: jsonResponse("The choices.", build_default.Object({
				data: build_default.Array(ChoiceSchema),
				ending: build_default.Union([EndingSchema, build_default.Null()], { description: "What ending the subscription brings about; null: there is none to end." })
			}), {
				data: [{
					plan: "growth",
					begins: "when_paid",
					begins_at: null,
					invoice_pence: 9900,
					next_invoice_pence: 9900,
					next_invoice_at: "2026-04-01T00:00:00.000Z"
				}],
				ending: {
					ends_at: "2026-04-01T00:00:00.000Z",
					invoice_now_pence: 50
				}
			}) },
			handle: ({ caller }) => choicesView(deps, caller.organisationId)
		}),
		change({
			method: "POST",
			path: "/v1/billing/subscription",
			id: "changeSubscription",
			tag: "Billing",
			summary: "Change the plan, or end the subscription",
			description: "A paid or dearer plan begins when its invoice is paid; a cheaper one begins with the next month. Choosing the present plan takes back a change or an end still to come. Ended with `period_end` the subscription runs to the end of the month; with `now` the account is inactive at once.",
			scope: "billing:write",
			body: build_default.Object({
				plan: build_default.Optional(build_default.String({
					minLength: 1,
					maxLength: 32,
					description: "Id of the plan to have."
				})),
				end: build_default.Optional(oneOf(["now", "period_end"], { description: "End it, instead." }))
			}, {
				additionalProperties: false,
				minProperties: 1,
				maxProperties: 1,
				examples: [{ plan: "growth" }]
			}),
			answers: { 200: jsonResponse("As it is now, and the invoice to pay for it.", build_default.Object({
				subscription: build_default.Union([SubscriptionSchema, build_default.Null()], { description: "null while the first one of an organisation that the operator set up waits to be paid." }),
				invoice: build_default.Union([InvoiceSchema, build_default.Null()])
			}), {
				subscription: sampleSubscription,
				invoice: null
			}, REPLAYED_HEADER) },
			problems: ["forbidden", "conflict"],
			handle: async (tx, { actor, body }) => {
				const wanted = body.end === void 0 ? { plan: body.plan ?? "" } : { end: body.end };
				const { subscription, plan, invoice } = await changeSubscription(tx, deps, actor, wanted);
				return {
					status: 200,
					body: {
						subscription: subscription ? await subscriptionView(deps, tx, subscription, plan.id) : null,
						invoice: invoice ? invoiceView(invoice) : null
					}
				};
			},
			after: ({ request }) => deps.onAccountChanged(request.caller.organisationId)
		}),
		change({
			method: "POST",
			path: "/v1/billing/top-ups",
			id: "topUp",
			tag: "Billing",
			summary: "Buy prepaid credit",
			description: "Makes an invoice; the credit is there when it is paid. Prepaid credit never expires.",
			scope: "billing:write",
			body: build_default.Object({ amount_pence: TopUpPence }, {
				additionalProperties: false,
				examples: [{ amount_pence: 5e3 }]
			}),
			answers: { 201: jsonResponse("The invoice.", InvoiceSchema, {
				...sampleInvoice,
				id: "top_1QwErTyUiOpAsDfGhJkL",
				kind: "top_up",
				in_advance: true,
				total_pence: 5e3,
				lines: [{
					kind: "top_up",
					month: "2026-03",
					description: "Prepaid credit",
					amount_pence: 5e3
				}]
			}, REPLAYED_HEADER) },
			problems: ["conflict"],
			handle: async (tx, { actor, body }) => {
				const invoice = await requestTopUp(tx, deps, actor, { amountPence: body.amount_pence });
				return {
					status: 201,
					body: invoiceView(invoice)
				};
			}
		}),
		change({
			method: "PUT",
			path: "/v1/billing/overage-limit",
			id: "setOverageLimit",
			tag: "Billing",
			summary: "Lower the limit of overage",
			description: "How much may be owed beyond the credit before checks are refused. null brings back the limit of the plan.",
			scope: "billing:write",
			body: build_default.Object({ overage_limit_pence: build_default.Union([build_default.Integer({
				minimum: 0,
				maximum: 1e9
			}), build_default.Null()]) }, {
				additionalProperties: false,
				examples: [{ overage_limit_pence: 2e4 }]
			}),
			answers: { 200: jsonResponse("The limit chosen.", build_default.Object({ overage_limit_pence: build_default.Union([Pence("Limit."), build_default.Null()]) }), { overage_limit_pence: 2e4 }, REPLAYED_HEADER) },
			handle: async (tx, { actor, body }) => {
				await setOverageLimit(tx, deps, actor, body.overage_limit_pence);
				return {
					status: 200,
					body: { overage_limit_pence: body.overage_limit_pence }
				};
			}
		})
	];
}
const TOP_UP_PENCE_MAX = 1e8;
const TopUpPence = build_default.Integer({
	minimum: 1,
	maximum: TOP_UP_PENCE_MAX,
	description: "Prepaid credit to buy."
});

// src/billing/checkout/http.ts
/** Signing up: public, so the buyer's token is the credential. */
const SIGN_UPS = {
	attemptsMax: 20,
	windowMs: HOUR_MS
};
/** From all addresses together: what is made stays, so that nobody with many addresses fills the disk. */
const SIGN_UPS_IN_ALL = {
	attemptsMax: 5e3,
	windowMs: HOUR_MS
};
const LOOKS = {
	attemptsMax: 600,
	windowMs: HOUR_MS
};
const COMMON = [
	"rate_limited",
	"internal",
	"store_unavailable",
	"overloaded",
	"shutting_down"
];
const BODY = [
	"malformed_json",
	"body_too_large",
	"unsupported_media_type",
	"validation_failed",
	"not_found"
];
const CheckoutSchema = build_default.Object({
	id: build_default.String(),
	state: oneOf(["pending", "complete"], { description: "pending: the first invoice waits to be paid, or the operator has to approve the account." }),
	organisation_id: build_default.String(),
	plan: build_default.String(),
	amount_due_pence: build_default.Integer({
		minimum: 0,
		description: "Of the first invoice."
	}),
	key_shown: build_default.Boolean({ description: "The key was asked for already." })
});
const sample$6 = {
	id: "chk_5TgBnHyUjMkIlOpQaZwS",
	state: "complete",
	organisation_id: "org_0Fv3kQ2mXb7TzR1yLw9c",
	plan: "growth",
	amount_due_pence: 9900,
	key_shown: false
};
const sampleToken$1 = "1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv";
const params = { checkout_id: "Id of the checkout." };
const ClaimBody = build_default.Object({ claim_token: build_default.String({
	minLength: 1,
	maxLength: 100,
	description: "From the answer that began the checkout."
}) }, {
	additionalProperties: false,
	examples: [{ claim_token: sampleToken$1 }]
});
function checkoutOperations(deps) {
	const ownCheckout = async (request, id, token) => {
		await throttle(deps, request, "checkout look", LOOKS);
		const found = await findCheckout(deps.sql, id, token);
		await bringToPresent(deps, found.organisation_id);
		return findCheckout(deps.sql, id, token);
	};
	return [
		change({
			method: "POST",
			path: "/v1/checkout",
			id: "checkOut",
			tag: "Checkout",
			summary: "Subscribe: make an organisation, its owner and its subscription",
			description: "Public. The answer holds a token that is shown this once: with it the page starts the payment, follows the state, and asks for the API key, once.",
			scope: "public",
			body: build_default.Object({
				organisation_name: build_default.String({
					minLength: 1,
					maxLength: 200
				}),
				name: build_default.String({
					minLength: 1,
					maxLength: 200,
					description: "Of the person, who becomes its owner."
				}),
				email: build_default.String({
					minLength: 3,
					maxLength: 254,
					description: "What they sign in with."
				}),
				password: build_default.String({
					minLength: 12,
					maxLength: 256
				}),
				plan: build_default.String({
					minLength: 1,
					maxLength: 32
				}),
				top_up_pence: build_default.Optional(build_default.Integer({
					...TopUpPence,
					description: "Prepaid credit to buy with it, on plans without a price."
				})),
				accept_terms: build_default.Boolean({ description: "Must be true." })
			}, {
				additionalProperties: false,
				examples: [{
					organisation_name: "Example Ltd",
					name: "Jane Doe",
					email: "jane@company.example",
					password: "a long pass phrase",
					plan: "growth",
					accept_terms: true
				}]
			}),
			answers: { 201: jsonResponse("Begun; complete at once where nothing is to be paid first.", build_default.Object({
				...CheckoutSchema.properties,
				claim_token: build_default.String({ description: "Shown this once." })
			}), {
				...sample$6,
				claim_token: sampleToken$1
			}, REPLAYED_HEADER) },
			problems: [
				"forbidden",
				"conflict",
				...COMMON
			],
			repeater: ({ body }) => `checkout ${sha256Hex(normaliseSignInEmail(body.email))}`,
			prepare: async ({ body, request, reply }) => {
				reply.header("cache-control", "no-store");
				if (!body.accept_terms) throw invalidField("/accept_terms", "The terms must be accepted.");
				requireSignUp(deps, {
					planId: body.plan,
					topUpPence: body.top_up_pence ?? 0
				});
				checkedEmail(body.email);
				checkedName(body.organisation_name, "/organisation_name");
				checkedName(body.name);
				await throttle(deps, request, "checkout", SIGN_UPS);
				const { waitMs } = await takeAttempt(deps.sql, "checkouts in all", SIGN_UPS_IN_ALL, deps.clock.now());
				refuseWait(waitMs, "Too many are signing up at the same time.");
				return hashPassword(body.password);
			},
			handle: async (tx, { body, request, prepared: passwordHash }) => {
				const begun = await beginCheckout(tx, deps, {
					organisationName: body.organisation_name,
					owner: {
						email: body.email,
						name: body.name,
						passwordHash
					},
					planId: body.plan,
					topUpPence: body.top_up_pence ?? 0,
					from: {
						ip: request.ip,
						requestId: request.id
					}
				});
				return {
					status: 201,
					body: {
						...checkoutView(await findCheckout(tx, begun.checkoutId, begun.claimToken)),
						claim_token: begun.claimToken
					}
				};
			}
		}),
		operation({
			method: "POST",
			path: "/v1/checkout/{checkout_id}/state",
			id: "readCheckout",
			tag: "Checkout",
			summary: "Read how a checkout stands",
			description: "Public: the token is the credential.",
			scope: "public",
			params,
			body: ClaimBody,
			answers: { 200: jsonResponse("As it stands.", CheckoutSchema, sample$6) },
			problems: [...BODY, ...COMMON],
			handle: async ({ request, reply, params, body }) => {
				reply.header("cache-control", "no-store");
				return checkoutView(await ownCheckout(request, params.checkout_id, body.claim_token));
			}
		}),
		operation({
			method: "POST",
			path: "/v1/checkout/{checkout_id}/payment",
			id: "payCheckout",
			tag: "Checkout",
			summary: "Start paying the first invoice",
			description: "Public: the token is the credential. Asked again, the same page comes back.",
			scope: "public",
			params,
			body: ClaimBody,
			answers: { 200: jsonResponse("Where to pay.", PaymentSchema, { url: "https://checkout.stripe.com/c/pay/cs_test_a1" }) },
			problems: [
				...BODY,
				"conflict",
				"payment_unavailable",
				...COMMON
			],
			handle: async ({ request, reply, params, body }) => {
				reply.header("cache-control", "no-store");
				const { checkout, invoice } = await payable(await ownCheckout(request, params.checkout_id, body.claim_token));
				const page = `${deps.baseUrl}/checkout?checkout=${checkout.id}`;
				return startPayment(deps, invoice, {
					description: invoice.lines[0]?.description ?? `Invoice ${invoice.number}`,
					returnUrl: page,
					cancelUrl: `${page}&cancelled=true`
				});
			}
		}),
		operation({
			method: "POST",
			path: "/v1/checkout/{checkout_id}/how-to-pay",
			id: "howToPayCheckout",
			tag: "Checkout",
			summary: "Read how the first invoice is paid",
			description: "Public: the token is the credential.",
			scope: "public",
			params,
			body: ClaimBody,
			answers: { 200: jsonResponse("How to pay.", HowToPaySchema, sampleHowToPay) },
			problems: [
				...BODY,
				"conflict",
				...COMMON
			],
			handle: async ({ request, reply, params, body }) => {
				reply.header("cache-control", "no-store");
				const { invoice } = await payable(await ownCheckout(request, params.checkout_id, body.claim_token));
				return howToPay(deps, invoice);
			}
		}),
		change({
			method: "POST",
			path: "/v1/checkout/{checkout_id}/claim",
			id: "claimKey",
			tag: "Checkout",
			summary: "See the API key of a checkout, once",
			description: "Public: the token is the credential. Complete checkouts only; a second time gets 409.",
			scope: "public",
			params,
			body: ClaimBody,
			answers: { 200: jsonResponse("The key, shown this once.", build_default.Object({
				organisation_id: build_default.String(),
				key_id: build_default.String(),
				api_key: build_default.String({ description: "Shown this once." }),
				curl: build_default.String({ description: "A first request to try." })
			}), {
				organisation_id: "org_0Fv3kQ2mXb7TzR1yLw9c",
				key_id: "key_9aBcDeFgHiJkLmNoPqRs",
				api_key: "ask_<32 characters and a checksum, shown once>",
				curl: "curl -s http://localhost:8080/v1/payment-risk -H 'x-api-key: ask_…' -H 'content-type: application/json' -d '{\"email\":\"accounts@example.com\"}'"
			}, REPLAYED_HEADER) },
			problems: [
				"not_found",
				"conflict",
				...COMMON
			],
			repeater: ({ params }) => `checkout ${params.checkout_id}`,
			prepare: async ({ request, reply, params, body }) => {
				reply.header("cache-control", "no-store");
				await ownCheckout(request, params.checkout_id, body.claim_token);
			},
			handle: async (tx, { request, params, body }) => {
				const from = {
					ip: request.ip,
					requestId: request.id
				};
				const which = {
					id: params.checkout_id,
					claimToken: body.claim_token
				};
				const { organisationId, keyId, secret } = await claimCheckout(tx, which, from);
				return {
					status: 200,
					body: {
						organisation_id: organisationId,
						key_id: keyId,
						api_key: secret,
						curl: `curl -s ${deps.baseUrl}/v1/payment-risk -H 'x-api-key: ${secret}' -H 'content-type: application/json' -d '{"email":"accounts@example.com"}'`
					}
				};
			}
		})
	];
	async function payable(checkout) {
		const invoice = checkout.invoice_id === null ? void 0 : await findInvoice(deps.sql, checkout.invoice_id);
		if (invoice?.state !== "open") throw new Problem("conflict", { detail: "There is nothing to pay." });
		return {
			checkout,
			invoice
		};
	}
}
function checkoutView(checkout) {
	return {
		id: checkout.id,
		state: checkoutState(checkout),
		organisation_id: checkout.organisation_id,
		plan: checkout.plan_id,
		amount_due_pence: checkout.total_pence ?? 0,
		key_shown: checkout.claimed_at !== null
	};
}
async function throttle(deps, request, name, limit) {
	const { waitMs } = await takeAttemptFrom(deps.sql, name, request.ip, limit, deps.clock.now());
	refuseWait(waitMs, "Too many requests came from here.");
}

// src/http/csv.ts
function toCsv(header, rows) {
	let text = `${header.map(cellText).join(",")}\r\n`;
	for (const row of rows) text += `${row.map(cellText).join(",")}\r\n`;
	return text;
}
function cellText(cell) {
	if (cell === null) return "";
	if (typeof cell !== "string") return String(cell);
	const safe = /^[\s]*[=+\-@\t\r|]/.test(cell) ? `'${cell}` : cell;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll("\"", "\"\"")}"` : safe;
}
/** The best of these media types for the caller's Accept header; the first when anything will do or nothing fits. */
function preferredType(request, offered) {
	const accept = request.headers.accept;
	if (accept === void 0) return offered[0];
	const wanted = accept.split(",").map((part) => {
		const [type = "", ...parameters] = part.trim().toLowerCase().split(";");
		const q = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((value) => value !== void 0);
		return {
			type: type.trim(),
			q: q === void 0 ? 1 : Number(q)
		};
	});
	let best = {
		type: offered[0],
		q: 0
	};
	for (const type of offered) {
		const group = `${type.split("/")[0]}/*`;
		const match = wanted.find((one) => one.type === type) ?? wanted.find((one) => one.type === group) ?? wanted.find((one) => one.type === "*/*");
		if (match && match.q > best.q) best = {
			type,
			q: match.q
		};
	}
	return best.type;
}
function sendCsv(reply, fileName, text) {
	return reply.header("content-type", "text/csv; charset=utf-8").header("content-disposition", `attachment; filename="${fileName}"`).send(text);
}

// src/http/printable.ts
/** Sends a page made to be printed. Its names are other people's words, so it may load and run nothing. */
function sendPrintable(reply, page) {
	return reply.header("content-type", "text/html; charset=utf-8").header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'").send(page);
}

// src/lib/html.ts
const ESCAPES = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	"\"": "&quot;",
	"'": "&#39;"
};
/** Text that is safe between tags and inside a quoted attribute. */
function escapeHtml(text) {
	return String(text).replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

// src/billing/invoices/printing.ts
/** What pages to print are made of: amounts as people write them, text made safe, and one look for all of them. Pure. */
function pounds(pence) {
	const whole = Math.abs(pence);
	return `${pence < 0 ? "−" : ""}£${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
}
/** A table: what stands in the first column is text, the rest are figures. */
function printedTable(header, rows) {
	const side = (i) => i > 0 ? " class=\"n\"" : "";
	return `<table><thead><tr>${header.map((text, i) => `<th scope="col"${side(i)}>${escapeHtml(text)}</th>`).join("")}</tr></thead><tbody>\n${rows.map((row) => `<tr>${row.map((cell, i) => `<td${side(i)}>${escapeHtml(cell)}</td>`).join("")}</tr>`).join("\n")}\n</tbody></table>`;
}
/** A whole page. `title` is text; `content` is HTML, and `style` adds to the look that every page has. */
function printedPage(input) {
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(input.title)}</title>
<style>
body { font: 14px/1.5 system-ui, sans-serif; color: #111; background: #fff; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.05rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .5rem; border-bottom: 1px solid #ccc }
.n { text-align: right; font-variant-numeric: tabular-nums }
@page { size: A4; margin: 18mm }
@media print { body { margin: 0; padding: 0; max-width: none } thead { display: table-header-group } tr { break-inside: avoid } }
${input.style ?? ""}</style></head><body>
${input.content}
</body></html>
`;
}

// src/billing/invoices/document.ts
/**
* An invoice as a document: what it says, and as a page to print. The PDF says the same words (document-pdf.ts).
* Pure.
*/
function invoiceWords(document) {
	const { number, customer, issuer, payment, state } = document;
	const open = state === "open";
	return {
		title: `Invoice ${number}`,
		stamp: stampOf(document),
		facts: [
			["Issued", day(document.issuedOn)],
			["Due", document.inAdvance ? "In advance" : day(document.dueOn)],
			...payment.reference === number ? [] : [["Reference", payment.reference]]
		],
		parties: [{
			role: "From",
			name: issuer.name,
			lines: partyLines(issuer)
		}, {
			role: "To",
			name: customer.name,
			lines: [...partyLines(customer), `Account ${customer.organisationId}`]
		}],
		header: [
			"Description",
			"Month",
			"Amount"
		],
		lines: document.lines.map((line) => [
			line.description,
			month(line.month),
			pounds(line.amountPence)
		]),
		sums: [["Total", pounds(document.totalPence)], ...document.refundedPence > 0 ? [["Refunded", pounds(-document.refundedPence)]] : []],
		payment: open ? {
			title: `Please pay ${pounds(document.totalPence)}${document.inAdvance ? "" : ` by ${day(document.dueOn)}`}`,
			lines: [...payment.instructions === null ? ["Pay in the console, under Billing."] : linesOf(payment.instructions), ...document.inAdvance ? ["What this invoice is for begins when it is paid."] : []],
			reference: `Give this reference with the payment: ${payment.reference}`
		} : null
	};
}
function stampOf({ state, settledOn }) {
	switch (state) {
		case "open": return null;
		case "paid": return settledOn === null ? "Paid" : `Paid on ${day(settledOn)}`;
		case "void": return "Cancelled";
		case "refunded": return "Refunded";
	}
}
function partyLines({ address, taxId }) {
	return [...linesOf(address), ...taxId === null ? [] : [`Tax number ${taxId}`]];
}
function linesOf(text) {
	return text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "");
}
const DAY = new Intl.DateTimeFormat("en-GB", {
	day: "numeric",
	month: "long",
	year: "numeric",
	timeZone: "UTC"
});
const MONTH = new Intl.DateTimeFormat("en-GB", {
	month: "long",
	year: "numeric",
	timeZone: "UTC"
});
const day = (date) => DAY.format(new Date(date));
const month = (period) => MONTH.format(/* @__PURE__ */ new Date(`${period}-01`));
const STYLE = `
header { display: flex; justify-content: space-between; align-items: flex-start; gap: 2rem }
h1 { margin: 0 }
.stamp { border: 2px solid; border-radius: .3rem; padding: .2rem .7rem; font-weight: 600; text-transform: uppercase; letter-spacing: .05em }
.paid { color: #17692f } .void { color: #a11 } .refunded { color: #7a4a00 }
dl { display: grid; grid-template-columns: max-content auto; gap: .1rem 1rem; margin: 1rem 0 } dt { color: #555 } dd { margin: 0 }
.parties { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; margin: 1.5rem 0 }
.parties h2 { margin: 0; font-size: .9rem; font-weight: normal; color: #555 }
.parties p, .pay p { margin: 0; text-align: left; overflow-wrap: anywhere } td { overflow-wrap: anywhere; vertical-align: top }
td:first-child { width: 100% } td:nth-child(2), td:nth-child(3) { white-space: nowrap }
.sums { margin-top: .5rem } .sums td { border: 0; text-align: right } .sums tr:first-child { font-weight: 600; font-size: 1.1rem }
.pay { border: 1px solid #999; border-radius: .3rem; padding: .8rem 1rem; margin-top: 1.5rem; break-inside: avoid }
.pay h2 { margin: 0 0 .4rem }
`;
/** The invoice as a page to print. */
function invoicePage(document) {
	const words = invoiceWords(document);
	const { stamp, payment } = words;
	const paragraph = (text) => `<p dir="auto">${escapeHtml(text)}</p>`;
	const parties = words.parties.map(({ role, name, lines }) => `<section><h2>${role}</h2><p dir="auto"><strong>${escapeHtml(name)}</strong></p>${lines.map(paragraph).join("")}</section>`);
	const facts = words.facts.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`);
	const sums = words.sums.map(([name, amount]) => `<tr><td>${name}</td><td class="n">${amount}</td></tr>`);
	const pay = payment ? `<section class="pay"><h2>${escapeHtml(payment.title)}</h2>${payment.lines.map(paragraph).join("")}<p><strong>${escapeHtml(payment.reference)}</strong></p></section>` : "";
	return printedPage({
		title: `${words.title}, ${document.issuer.name}`,
		style: STYLE,
		content: `<header><h1>${escapeHtml(words.title)}</h1>${stamp === null ? "" : `<span class="stamp ${document.state}">${escapeHtml(stamp)}</span>`}</header>
<dl>${facts.join("")}</dl>
<div class="parties">${parties.join("")}</div>
${printedTable(words.header, words.lines)}
<table class="sums"><tbody>${sums.join("")}</tbody></table>
${pay}`
	});
}

// src/billing/invoices/document-pdf.ts
/** The invoice as a PDF: A4, any number of pages, the same bytes for the same document. */
const MARGIN_PT = 54;
const WIDTH_PT = 487.28;
const RIGHT_PT = 541.28;
/** The last line of a page ends here; the page number stands below. */
const BOTTOM_PT = 769.89;
const GAP_PT = 18;
const TEXT = { size: 10 };
const STRONG = {
	size: 10,
	bold: true
};
const SMALL = { size: 8.5 };
const TITLE = {
	size: 20,
	bold: true
};
const TOTAL = {
	size: 12,
	bold: true
};
const INK = "#111111";
const GREY = "#555555";
const RULE = "#cccccc";
const STAMP_INKS = {
	open: INK,
	paid: "#17692f",
	void: "#aa1111",
	refunded: "#7a4a00"
};
const leadingOf = ({ size }) => size * 1.45;
async function invoicePdf(document) {
	const [{ default: PDFDocument }, { createTypesetter }] = await Promise.all([import("pdfkit"), import("./pdf-text-C_MGhXTw.js")]);
	const words = invoiceWords(document);
	const issued = new Date(document.issuedOn);
	const pdf = new PDFDocument({
		size: "A4",
		margin: 0,
		bufferPages: true,
		lang: "en-GB",
		displayTitle: true,
		pdfVersion: "1.3",
		info: {
			Title: words.title,
			Author: document.issuer.name,
			Creator: "Assay",
			CreationDate: issued,
			ModDate: issued
		}
	});
	const chunks = [];
	pdf.on("data", (chunk) => chunks.push(chunk));
	const ended = once(pdf, "end");
	const type = createTypesetter(pdf);
	let y = MARGIN_PT;
	/** Makes room for something so high, on a new page where this one is full. */
	function makeRoom(heightPt, onNewPage) {
		if (y + heightPt <= BOTTOM_PT) return;
		pdf.addPage();
		y = MARGIN_PT;
		onNewPage?.();
	}
	function draw(line, style, xPt, align = "left") {
		if (line) type.draw(line, align === "right" ? xPt - line.widthPt : xPt, y + style.size);
	}
	function rule(yPt) {
		pdf.moveTo(MARGIN_PT, yPt).lineTo(RIGHT_PT, yPt).lineWidth(.5).strokeColor(RULE).stroke();
	}
	const one = (text, style) => type.lines(text, style, Number.MAX_SAFE_INTEGER)[0];
	function drawHead() {
		const stamp = words.stamp === null ? void 0 : one(words.stamp.toUpperCase(), STRONG);
		const stampWidthPt = stamp ? stamp.widthPt + 20 : 0;
		const top = y;
		pdf.fillColor(INK);
		for (const line of type.lines(words.title, TITLE, WIDTH_PT - stampWidthPt - GAP_PT)) {
			draw(line, TITLE, MARGIN_PT);
			y += leadingOf(TITLE);
		}
		if (stamp) {
			const ink = STAMP_INKS[document.state];
			pdf.roundedRect(RIGHT_PT - stampWidthPt, top, stampWidthPt, 22, 3).lineWidth(1.5).strokeColor(ink).stroke();
			pdf.fillColor(ink);
			type.draw(stamp, RIGHT_PT - stampWidthPt + 10, top + 14.5);
		}
		y += 6;
		for (const [name, value] of words.facts) {
			pdf.fillColor(GREY);
			draw(one(name, TEXT), TEXT, MARGIN_PT);
			pdf.fillColor(INK);
			for (const line of type.lines(value, TEXT, 417.28)) {
				draw(line, TEXT, 124);
				y += leadingOf(TEXT);
			}
		}
		y += GAP_PT;
	}
	/** Both parties beside each other, line by line, so that a long address goes on on the next page. */
	function drawParties() {
		const columnPt = 469.28 / 2;
		const columns = words.parties.map(({ role, name, lines }) => [
			{
				style: SMALL,
				ink: GREY,
				line: one(role, SMALL)
			},
			...type.lines(name, STRONG, columnPt).map((line) => ({
				style: STRONG,
				ink: INK,
				line
			})),
			...lines.flatMap((text) => type.lines(text, TEXT, columnPt)).map((line) => ({
				style: TEXT,
				ink: INK,
				line
			}))
		]);
		for (let row = 0; row < Math.max(...columns.map(({ length }) => length)); row++) {
			makeRoom(leadingOf(TEXT));
			for (const [column, cells] of columns.entries()) {
				const cell = cells[row];
				if (!cell) continue;
				pdf.fillColor(cell.ink);
				draw(cell.line, cell.style, MARGIN_PT + column * 252.64);
			}
			y += leadingOf(TEXT);
		}
		y += GAP_PT;
	}
	const amountWidthPt = Math.max(...[...words.lines, ...words.sums].map((row) => one(figure(row.at(-1)), TOTAL)?.widthPt ?? 0));
	const monthRightPt = RIGHT_PT - Math.max(amountWidthPt, 60) - GAP_PT;
	const descriptionWidthPt = monthRightPt - 90 - GAP_PT - MARGIN_PT;
	function drawHeader() {
		pdf.fillColor(GREY);
		const [description, month, amount] = words.header;
		draw(one(description, SMALL), SMALL, MARGIN_PT);
		draw(one(month, SMALL), SMALL, monthRightPt, "right");
		draw(one(amount, SMALL), SMALL, RIGHT_PT, "right");
		y += leadingOf(SMALL) + 2;
		rule(y);
		y += 5;
		pdf.fillColor(INK);
	}
	function drawLines() {
		makeRoom(4 * leadingOf(TEXT));
		drawHeader();
		for (const [description, month, amount] of words.lines) {
			const lines = type.lines(description, TEXT, descriptionWidthPt);
			makeRoom(Math.min(lines.length, 10) * leadingOf(TEXT) + 5, drawHeader);
			draw(one(month, TEXT), TEXT, monthRightPt, "right");
			draw(one(figure(amount), TEXT), TEXT, RIGHT_PT, "right");
			for (const line of lines) {
				makeRoom(leadingOf(TEXT), drawHeader);
				draw(line, TEXT, MARGIN_PT);
				y += leadingOf(TEXT);
			}
			rule(y + 1);
			y += 6;
		}
		makeRoom(words.sums.length * leadingOf(TOTAL) + 4);
		y += 4;
		for (const [row, [name, amount]] of words.sums.entries()) {
			const style = row === 0 ? TOTAL : TEXT;
			draw(one(name, style), style, monthRightPt, "right");
			draw(one(figure(amount), style), style, RIGHT_PT, "right");
			y += leadingOf(TOTAL);
		}
	}
	function drawPayment() {
		if (!words.payment) return;
		const { title, lines, reference } = words.payment;
		const rows = [
			...type.lines(title, TOTAL, WIDTH_PT).map((line) => ({
				line,
				style: TOTAL
			})),
			...lines.flatMap((text) => type.lines(text, TEXT, WIDTH_PT)).map((line) => ({
				line,
				style: TEXT
			})),
			...type.lines(reference, STRONG, WIDTH_PT).map((line) => ({
				line,
				style: STRONG
			}))
		];
		const heightPt = rows.reduce((sum, { style }) => sum + leadingOf(style), 0);
		y += GAP_PT;
		makeRoom(Math.min(heightPt + GAP_PT, 715.89));
		rule(y);
		y += 10;
		pdf.fillColor(INK);
		for (const { line, style } of rows) {
			makeRoom(leadingOf(style));
			draw(line, style, MARGIN_PT);
			y += leadingOf(style);
		}
	}
	function drawPageNumbers() {
		const { start, count } = pdf.bufferedPageRange();
		pdf.fillColor(GREY);
		for (let number = 1; number <= count; number++) {
			pdf.switchToPage(start + number - 1);
			y = 787.89 - SMALL.size;
			draw(type.lines(words.title, SMALL, 387.28)[0], SMALL, MARGIN_PT);
			draw(one(`Page ${number} of ${count}`, SMALL), SMALL, RIGHT_PT, "right");
		}
	}
	drawHead();
	drawParties();
	drawLines();
	drawPayment();
	drawPageNumbers();
	pdf.end();
	await ended;
	return Buffer.concat(chunks);
}
/** The minus sign of mathematics is in no standard font; beside figures the hyphen does as well. */
function figure(amount) {
	return (amount ?? "").replace("−", "-");
}

// src/billing/invoices/http.ts
/** Invoices, as data and as documents, and whom they are addressed to. */
const invoiceParams = { invoice_id: "Id of the invoice." };
const LIMITS = {
	limitMax: 200,
	limitDefault: 50
};
const line = (description, maxLength) => build_default.Union([build_default.String({
	minLength: 1,
	maxLength,
	pattern: "^[^\\u0000-\\u0009\\u000b-\\u001f]*$"
}), build_default.Null()], { description });
const DetailsSchema = build_default.Object({
	name: line("Name on invoices; null: the name of the organisation.", 200),
	address: line("Address on invoices, with line breaks.", 1e3),
	tax_id: line("Tax number on invoices.", 64)
}, {
	additionalProperties: false,
	examples: [{
		name: "Example Ltd, accounts payable",
		address: "1 High Street\nLondon",
		tax_id: "GB123456789"
	}]
});
const sampleDetails = {
	name: "Example Ltd, accounts payable",
	address: "1 High Street\nLondon",
	tax_id: "GB123456789"
};
function invoiceOperations(deps) {
	return [
		operation({
			method: "GET",
			path: "/v1/billing/invoices",
			id: "listInvoices",
			tag: "Billing",
			summary: "List the invoices, newest first",
			scope: "billing:read",
			query: pageQuery({
				state: build_default.Optional(oneOf(INVOICE_STATES)),
				kind: build_default.Optional(oneOf(INVOICE_KINDS))
			}, LIMITS),
			answers: { 200: jsonResponse("A page of invoices.", build_default.Object({
				data: build_default.Array(InvoiceSchema),
				next_cursor: NextCursor
			}), {
				data: [sampleInvoice],
				next_cursor: null
			}, LINK_HEADER) },
			handle: async (context) => {
				const { organisationId } = context.caller;
				const { state, kind } = context.query;
				await bringToPresent(deps, organisationId);
				return answerPage(context, deps, {
					list: [
						"invoices",
						state,
						kind
					],
					limitDefault: LIMITS.limitDefault,
					read: (from, limit) => listInvoices(deps.sql, {
						organisationId,
						state,
						kind,
						from,
						limit
					}),
					view: invoiceView
				});
			}
		}),
		operation({
			method: "GET",
			path: "/v1/billing/invoices/{invoice_id}",
			id: "readInvoice",
			tag: "Billing",
			summary: "Read one invoice",
			description: "With `Accept: text/html` as a page to print, with `Accept: application/pdf` as a document.",
			scope: "billing:read",
			params: invoiceParams,
			answers: { 200: withForms(jsonResponse("The invoice.", InvoiceSchema, sampleInvoice), {
				"text/html": "<!doctype html>…",
				"application/pdf": "%PDF-1.3…"
			}) },
			handle: async ({ caller, params, request, reply }) => {
				const invoice = await requireInvoice(deps.sql, params.invoice_id, caller.organisationId);
				const form = preferredType(request, [
					"application/json",
					"text/html",
					"application/pdf"
				]);
				reply.header("vary", "accept");
				if (form === "application/json") return invoiceView(invoice);
				const document = documentOf(deps, invoice);
				if (form === "text/html") return sendPrintable(reply, invoicePage(document));
				return reply.header("content-type", "application/pdf").header("content-security-policy", "frame-ancestors 'none'").header("content-disposition", `inline; filename="${paymentReference(invoice)}.pdf"`).send(await invoicePdf(document));
			}
		}),
		change({
			method: "POST",
			path: "/v1/billing/invoices/{invoice_id}/cancel",
			id: "cancelInvoice",
			tag: "Billing",
			summary: "Cancel an invoice that pays in advance",
			description: "For top-ups, and for plans that begin when they are paid: nothing was given for them yet. Other invoices have to be paid (409).",
			scope: "billing:write",
			params: invoiceParams,
			answers: { 200: jsonResponse("As it is now.", InvoiceSchema, {
				...sampleInvoice,
				state: "void"
			}, REPLAYED_HEADER) },
			problems: ["conflict"],
			handle: async (tx, { actor, params }) => {
				const found = await requireInvoice(tx, params.invoice_id, actor.organisationId);
				return {
					status: 200,
					body: invoiceView(await cancelInvoice(tx, deps, actor, found))
				};
			},
			after: ({ request }) => deps.onAccountChanged(request.caller.organisationId)
		}),
		operation({
			method: "GET",
			path: "/v1/billing/details",
			id: "readBillingDetails",
			tag: "Billing",
			summary: "Read whom invoices are addressed to",
			scope: "billing:read",
			answers: { 200: jsonResponse("The details.", DetailsSchema, sampleDetails) },
			handle: async ({ caller }) => detailsView(await readTerms(deps.sql, caller.organisationId))
		}),
		change({
			method: "PUT",
			path: "/v1/billing/details",
			id: "setBillingDetails",
			tag: "Billing",
			summary: "Say whom invoices are addressed to",
			description: "Holds for invoices to come and for those still open; paid ones stay as they were.",
			scope: "billing:write",
			body: DetailsSchema,
			answers: { 200: jsonResponse("The details.", DetailsSchema, sampleDetails, REPLAYED_HEADER) },
			handle: async (tx, { actor, body }) => {
				const { name, address, tax_id: taxId } = body;
				return {
					status: 200,
					body: detailsView(await setDetails(tx, actor, {
						name,
						address,
						taxId
					}))
				};
			}
		})
	];
}
const detailsView = ({ name, address, taxId }) => ({
	name,
	address,
	tax_id: taxId
});
function documentOf(deps, invoice) {
	const { customer } = invoice;
	return {
		number: paymentReference(invoice),
		state: invoice.state === "paid" && invoice.refunded_pence >= invoice.total_pence ? "refunded" : invoice.state,
		issuedOn: isoDay(invoice.issued_at),
		dueOn: isoDay(invoice.due_at),
		settledOn: invoice.settled_at === null ? null : isoDay(invoice.settled_at),
		inAdvance: invoice.in_advance,
		issuer: deps.settings.issuer,
		customer: {
			name: customer.name ?? "",
			address: customer.address ?? "",
			taxId: customer.tax_id ?? null,
			organisationId: invoice.organisation_id
		},
		lines: invoice.lines.map(({ description, month, amount_pence }) => ({
			description,
			month,
			amountPence: amount_pence
		})),
		totalPence: invoice.total_pence,
		refundedPence: invoice.refunded_pence,
		payment: {
			instructions: deps.settings.paymentInstructions,
			reference: paymentReference(invoice)
		}
	};
}

// src/http/moment.ts
/** A point in time as a query parameter gives it: a day, or a time with its zone. */
const Moment$1 = (description) => build_default.Optional(build_default.String({
	pattern: "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2}))?$",
	description: `${description} A day (UTC midnight) or an RFC 3339 time.`,
	examples: ["2026-03-01", "2026-03-01T09:00:00Z"]
}));
/** A moment in milliseconds; 400 when it is not one, such as the 32nd of a month. */
function momentOf(name, text) {
	if (text === void 0) return void 0;
	const timeMs = Date.parse(text);
	if (Number.isFinite(timeMs)) return timeMs;
	throw new Problem("invalid_query", { detail: `${name} is not a time of the calendar.` });
}

// src/billing/usage/quote.ts
const QUOTE_RECORDS_MAX = 1e7;
const RECORDS_PER_REQUEST = 1e4;
function quote(plan, account, family, records) {
	const overageLimitPence = overageLimitOf(account, plan);
	let { includedPence, prepaidPence, freeUnitsUsed, overagePence: owedPence } = account;
	let freeUnits = 0;
	let fromCreditPence = 0;
	let overagePence = 0;
	let shortfallPence = 0;
	let requests = 0;
	for (let left = records; left > 0; left -= RECORDS_PER_REQUEST) {
		requests++;
		const priced = price(plan, {
			includedPence,
			prepaidPence,
			freeUnitsUsed,
			overagePence: owedPence,
			overageLimitPence
		}, family, Math.min(left, RECORDS_PER_REQUEST));
		if (priced.refused) {
			const creditPence = includedPence + prepaidPence;
			fromCreditPence += creditPence;
			shortfallPence += priced.totalPence - creditPence;
			includedPence = 0;
			prepaidPence = 0;
			continue;
		}
		includedPence -= priced.fromIncludedPence;
		prepaidPence -= priced.fromPrepaidPence;
		freeUnitsUsed += priced.freeUnits;
		freeUnits += priced.freeUnits;
		fromCreditPence += priced.billing.charged_from_credit_pence;
		overagePence += priced.billing.overage_pence;
		owedPence += priced.billing.overage_pence;
	}
	return {
		family,
		records,
		requests,
		unit_price_pence: plan.unit_price_pence[family],
		free_units: freeUnits,
		charged_from_credit_pence: fromCreditPence,
		overage_pence: overagePence,
		total_price_pence: fromCreditPence + overagePence + shortfallPence,
		shortfall_pence: shortfallPence,
		remaining_credit_pence: includedPence + prepaidPence,
		covered: shortfallPence === 0
	};
}

// src/billing/usage/http.ts
/** Usage over time, and what more checks would cost. */
const FamilySchema = oneOf(FAMILIES, { description: "Endpoint family." });
const UsageAmountsSchema = {
	requests: build_default.Integer({ description: "Answered requests." }),
	units: build_default.Integer({ description: "Records checked." }),
	free_units: build_default.Integer({ description: "Of them, free." }),
	charged_from_credit_pence: build_default.Integer(),
	overage_pence: build_default.Integer(),
	total_price_pence: build_default.Integer()
};
const UsageRowSchema = build_default.Object({
	starts_at: Time$1("Start of the hour, day or month."),
	family: build_default.Optional(FamilySchema),
	credential_id: build_default.Optional(build_default.String({ description: "API key, application or person." })),
	...UsageAmountsSchema
});
const USAGE_FIELDS = Object.keys(UsageRowSchema.properties);
const ROWS_DEFAULT$1 = 100;
const sampleAmounts = {
	requests: 12,
	units: 120,
	free_units: 0,
	charged_from_credit_pence: 240,
	overage_pence: 0,
	total_price_pence: 240
};
function usageOperations(deps) {
	return [operation({
		method: "GET",
		path: "/v1/billing/usage",
		id: "readUsage",
		tag: "Billing",
		summary: "Read usage by hour, day or month",
		description: "Times without any use have no row. By hour at most 31 days at a time, by day 366, by month 120 months. A refund counts against usage at the time it was posted. With `Accept: text/csv` as CSV.",
		scope: "billing:read",
		query: pageQuery({
			from: Moment$1("Start; default the first of this month."),
			to: Moment$1("End, exclusive; default now."),
			granularity: build_default.Optional(oneOf(GRANULARITIES, { description: "Default: by hour up to 2 days, by day up to 92, by month beyond." })),
			group_by: build_default.Optional(oneOf([
				"family",
				"credential",
				"family,credential"
			], { description: "One row for each; default one row for all." })),
			family: build_default.Optional(FamilySchema),
			credential_id: build_default.Optional(build_default.String({
				minLength: 1,
				maxLength: 64
			}))
		}, {
			limitMax: 1e3,
			limitDefault: ROWS_DEFAULT$1
		}),
		answers: { 200: withForms(jsonResponse("Usage in the range, widened to whole hours, days or months.", build_default.Object({
			from: Time$1("Start of the range answered for."),
			to: Time$1("Its end, exclusive."),
			granularity: oneOf(GRANULARITIES),
			data: build_default.Array(UsageRowSchema),
			totals: build_default.Object(UsageAmountsSchema, { description: "Of the whole range, not of this page." }),
			next_cursor: NextCursor
		}), {
			from: "2026-03-01T00:00:00.000Z",
			to: "2026-03-03T00:00:00.000Z",
			granularity: "day",
			data: [{
				starts_at: "2026-03-02T00:00:00.000Z",
				family: "payment-risk",
				...sampleAmounts
			}],
			totals: sampleAmounts,
			next_cursor: null
		}, LINK_HEADER), { "text/csv": `${USAGE_FIELDS.join(",")}\r\n` }) },
		handle: async ({ caller: { organisationId }, query, request, reply }) => {
			const { from, to, group_by, family, credential_id } = query;
			const nowMs = deps.clock.now();
			const fromMs = momentOf("from", from) ?? periodStartMs(periodOf(nowMs));
			const toMs = momentOf("to", to) ?? nowMs + 1;
			const granularity = query.granularity ?? granularityFor(fromMs, toMs);
			const groups = group_by?.split(",") ?? [];
			const key = {
				organisationId,
				list: JSON.stringify([
					"usage",
					from,
					to,
					granularity,
					group_by,
					family,
					credential_id
				])
			};
			const answer = await readUsage(deps.sql, {
				organisationId,
				fromMs,
				toMs,
				granularity,
				byFamily: groups.includes("family"),
				byCredential: groups.includes("credential"),
				family,
				credentialId: credential_id,
				limit: query.limit ?? ROWS_DEFAULT$1,
				after: await positionOf(deps.cursors, key, query.cursor)
			});
			const next = answer.next ? deps.cursors.make(key, partsOf(answer.next)) : null;
			linkNext(request, reply, deps.baseUrl, next);
			reply.header("vary", "accept");
			if (preferredType(request, ["application/json", "text/csv"]) === "text/csv") {
				const cells = answer.rows.map((row) => USAGE_FIELDS.map((field) => row[field] ?? null));
				return sendCsv(reply, `usage-${organisationId}.csv`, toCsv(USAGE_FIELDS, cells));
			}
			return {
				from: new Date(answer.fromMs).toISOString(),
				to: new Date(answer.toMs).toISOString(),
				granularity,
				data: answer.rows,
				totals: answer.totals,
				next_cursor: next
			};
		}
	}), operation({
		method: "POST",
		path: "/v1/billing/quote",
		id: "quoteRecords",
		tag: "Billing",
		summary: "What records would cost now",
		description: "Charges nothing. The records are counted as sent in requests of 10,000, because each request is free as a whole or charged as a whole.",
		scope: "billing:read",
		orScopes: RISK_SCOPES,
		body: build_default.Object({
			family: FamilySchema,
			records: build_default.Integer({
				minimum: 1,
				maximum: QUOTE_RECORDS_MAX,
				description: "How many records would be sent."
			})
		}, {
			additionalProperties: false,
			examples: [{
				family: "payment-risk",
				records: 2500
			}]
		}),
		answers: { 200: jsonResponse("The price, from the credit and plan of this moment.", build_default.Object({
			family: FamilySchema,
			records: build_default.Integer(),
			requests: build_default.Integer({ description: "Requests of at most 10,000 records." }),
			unit_price_pence: Pence("Price of one record."),
			free_units: Pence("Records the free allowance covers."),
			charged_from_credit_pence: Pence("Part the credit covers."),
			overage_pence: Pence("Part beyond credit, where the plan allows it."),
			total_price_pence: Pence("The whole price."),
			shortfall_pence: Pence("What is missing: requests beyond the credit, or beyond the limit of overage, would be refused (402)."),
			remaining_credit_pence: Pence("Credit left afterwards."),
			covered: build_default.Boolean({ description: "Whether every request would be answered." })
		}), {
			family: "payment-risk",
			records: 2500,
			requests: 1,
			unit_price_pence: 2,
			free_units: 0,
			charged_from_credit_pence: 5e3,
			overage_pence: 0,
			total_price_pence: 5e3,
			shortfall_pence: 0,
			remaining_credit_pence: 6250,
			covered: true
		}) },
		problems: [
			"malformed_json",
			"body_too_large",
			"unsupported_media_type",
			"validation_failed"
		],
		handle: async ({ caller, body }) => {
			const account = await readAccount(deps, caller.organisationId);
			return quote(termsOf(account, planOf(deps.plans, account)), account, body.family, body.records);
		}
	})];
}
function partsOf({ startsAtMs, family, credentialId }) {
	return [
		startsAtMs,
		family,
		credentialId
	];
}
async function positionOf(cursors, key, cursor) {
	if (cursor === void 0) return void 0;
	const [startsAtMs, family, credentialId] = await cursors.read(key, cursor, [
		"number",
		"text",
		"text"
	]);
	return {
		startsAtMs,
		family,
		credentialId
	};
}

// src/billing/invoices/statement-page.ts
/** A statement as a page to print, and as rows for a spreadsheet. Pure. */
const STATEMENT_FIELDS = [
	"section",
	"item",
	"units",
	"unit_price_pence",
	"included_pence",
	"prepaid_pence",
	"overage_pence",
	"total_pence"
];
function statementRows(statement) {
	const balance = (item, one) => [
		"balance",
		item,
		null,
		null,
		one.included_credit_pence,
		one.prepaid_credit_pence,
		one.overage_owed_pence,
		null
	];
	return [
		balance("opening", statement.opening),
		...statement.movements.map((row) => [
			"movement",
			row.kind,
			row.entries,
			null,
			row.included_delta_pence,
			row.prepaid_delta_pence,
			row.overage_delta_pence,
			row.included_delta_pence + row.prepaid_delta_pence - row.overage_delta_pence
		]),
		balance("closing", statement.closing),
		...statement.usage.map((row) => [
			"usage",
			row.family,
			row.units,
			row.unit_price_pence,
			null,
			null,
			row.overage_pence,
			row.total_price_pence
		]),
		...statement.invoiced.map((line) => [
			"invoiced",
			line.description,
			null,
			null,
			null,
			null,
			null,
			line.amount_pence
		]),
		[
			"due",
			"plan and overage",
			null,
			null,
			null,
			null,
			statement.overage_pence,
			statement.total_due_pence
		]
	];
}
const TITLES = {
	grant: "Included credit of the month",
	expire: "Included credit expired",
	charge: "Checks",
	credit: "Credit added",
	plan: "Change of plan",
	refund: "Refunds",
	settle: "Overage settled",
	reversal: "Payments that went back"
};
function statementPage(statement, organisation) {
	const balance = (name, one) => [
		name,
		pounds(one.included_credit_pence),
		pounds(one.prepaid_credit_pence),
		pounds(one.overage_owed_pence)
	];
	const checks = printedTable([
		"Endpoint",
		"Records",
		"Free",
		"Unit price",
		"From credit",
		"Overage"
	], statement.usage.map((row) => [
		row.family,
		row.units,
		row.free_units,
		pounds(row.unit_price_pence),
		pounds(row.charged_from_credit_pence),
		pounds(row.overage_pence)
	]));
	const credit = printedTable([
		"",
		"Included credit",
		"Prepaid credit",
		"Overage owed"
	], [
		balance("Opening", statement.opening),
		...statement.movements.map((row) => [
			TITLES[row.kind],
			pounds(row.included_delta_pence),
			pounds(row.prepaid_delta_pence),
			pounds(row.overage_delta_pence)
		]),
		balance("Closing", statement.closing)
	]);
	const invoiced = printedTable([
		"Item",
		"Invoice",
		"State",
		"Amount"
	], statement.invoiced.map((line) => [
		line.description,
		line.number,
		line.state,
		pounds(line.amount_pence)
	]));
	return printedPage({
		title: `Statement ${statement.month}, ${organisation.name}`,
		content: `<h1>Statement for ${statement.month}</h1>
<p>${escapeHtml(organisation.name)} (${escapeHtml(organisation.id)})${statement.state === "open" ? ". The month goes on: these are the figures so far." : ""}</p>
<h2>Checks</h2>
${checks}
<h2>Credit and overage</h2>
${credit}
<h2>Invoiced</h2>
${invoiced}
<p><strong>Plan ${pounds(statement.plan_price_pence)}, overage ${pounds(statement.overage_pence)}, together ${pounds(statement.total_due_pence)}.</strong></p>`
	});
}

// src/billing/invoices/statements.ts
async function readStatement(sql, input) {
	const { account, month } = input;
	const { organisationId } = account;
	const present = periodOf(accountTime(account, input.nowMs));
	if (!isPeriod(month) || month > present || month < periodOf(account.createdAtMs)) throw new Problem("not_found", { detail: "There is no statement of this month: give a month as YYYY-MM." });
	const entrySeq = (await sql.query("select entry_seq from billing_account where organisation_id = $1", [organisationId]))[0]?.entry_seq ?? 0;
	const beforeSeq = await lastSeqThrough(sql, organisationId, entrySeq, previousPeriod(month));
	const lastSeq = await lastSeqThrough(sql, organisationId, entrySeq, month);
	const range = [
		organisationId,
		beforeSeq,
		lastSeq
	];
	const [opening, closing, usage, movements, invoiced] = await Promise.all([
		balancesAt(sql, organisationId, beforeSeq),
		balancesAt(sql, organisationId, lastSeq),
		sql.query(`select family, unit_price_pence, ${sum("case when kind = 'refund' then -1 else 1 end", "requests")},
         ${sum("case when kind = 'refund' then -units else units end", "units")}, ${sum("free_units", "free_units")},
         ${sum("-included_delta_pence - prepaid_delta_pence", "charged_from_credit_pence")},
         ${sum("overage_delta_pence", "overage_pence")}
       from ledger_entry where organisation_id = $1 and seq > $2 and seq <= $3 and kind in ('charge', 'refund')
       group by family, unit_price_pence order by family, unit_price_pence`, range),
		sql.query(`select kind, count(*) as entries, ${sum("included_delta_pence", "included_delta_pence")},
         ${sum("prepaid_delta_pence", "prepaid_delta_pence")}, ${sum("overage_delta_pence", "overage_delta_pence")}
       from ledger_entry where organisation_id = $1 and seq > $2 and seq <= $3 group by kind order by kind`, range),
		sql.query(`select l.invoice_id, i.number, i.state, l.kind, l.description, l.amount_pence
       from invoice i join invoice_line l on l.invoice_id = i.id
       where i.organisation_id = $1 and l.month = $2 and not (i.kind = 'subscription' and i.in_advance = 1 and i.state = 'open')
       order by i.issued_at, i.id, l.position`, [organisationId, month])
	]);
	const planPricePence = invoiced.filter((line) => line.state !== "void" && (line.kind === "plan" || line.kind === "upgrade")).reduce((total, line) => total + line.amount_pence, 0);
	const overagePence = usage.reduce((total, row) => total + row.overage_pence, 0);
	return {
		month,
		state: month < present ? "closed" : "open",
		first_entry: lastSeq > beforeSeq ? beforeSeq + 1 : null,
		last_entry: lastSeq > beforeSeq ? lastSeq : null,
		opening,
		usage: usage.map((row) => ({
			...row,
			total_price_pence: row.charged_from_credit_pence + row.overage_pence
		})),
		movements,
		closing,
		invoiced,
		plan_price_pence: planPricePence,
		overage_pence: overagePence,
		total_due_pence: planPricePence + overagePence
	};
}
function sum(expression, name) {
	return `cast(coalesce(sum(${expression}), 0) as bigint) as ${name}`;
}
async function balancesAt(sql, organisationId, seq) {
	const row = (await sql.query(`select included_after_pence, prepaid_after_pence, overage_after_pence from ledger_entry
     where organisation_id = $1 and seq = $2`, [organisationId, seq]))[0];
	return {
		included_credit_pence: row?.included_after_pence ?? 0,
		prepaid_credit_pence: row?.prepaid_after_pence ?? 0,
		overage_owed_pence: row?.overage_after_pence ?? 0
	};
}

// src/billing/invoices/statement-http.ts
/** The statement of a month: as JSON, as CSV, and as a page to print. */
const BalancesSchema = build_default.Object({
	included_credit_pence: Pence("Included credit."),
	prepaid_credit_pence: Pence("Prepaid credit."),
	overage_owed_pence: Pence("Overage not settled.")
});
const Delta = build_default.Integer({ description: "Sum of what moved." });
const StatementSchema = build_default.Object({
	month: build_default.String(),
	state: oneOf(["open", "closed"], { description: "open while the month goes on." }),
	first_entry: build_default.Union([build_default.Integer(), build_default.Null()], { description: "Number of the first ledger entry." }),
	last_entry: build_default.Union([build_default.Integer(), build_default.Null()]),
	opening: BalancesSchema,
	usage: build_default.Array(build_default.Object({
		family: FamilySchema,
		unit_price_pence: Pence("Price."),
		...UsageAmountsSchema
	})),
	movements: build_default.Array(build_default.Object({
		kind: oneOf(ENTRY_KINDS),
		entries: build_default.Integer(),
		included_delta_pence: Delta,
		prepaid_delta_pence: Delta,
		overage_delta_pence: Delta
	}), { description: "opening and movements add up to closing." }),
	closing: BalancesSchema,
	invoiced: build_default.Array(build_default.Object({
		invoice_id: build_default.String(),
		number: build_default.Integer(),
		state: build_default.String(),
		kind: build_default.String(),
		description: build_default.String(),
		amount_pence: build_default.Integer()
	})),
	plan_price_pence: Pence("Price of the plan for the month."),
	overage_pence: build_default.Integer({ description: "Overage of the month." }),
	total_due_pence: build_default.Integer({ description: "Both together." })
});
const sampleStatement = {
	month: "2026-03",
	state: "closed",
	first_entry: 40,
	last_entry: 42,
	opening: {
		included_credit_pence: 0,
		prepaid_credit_pence: 0,
		overage_owed_pence: 0
	},
	usage: [{
		family: "payment-risk",
		unit_price_pence: 2,
		requests: 1,
		units: 10,
		free_units: 0,
		charged_from_credit_pence: 20,
		overage_pence: 0,
		total_price_pence: 20
	}],
	movements: [
		{
			kind: "charge",
			entries: 1,
			included_delta_pence: -20,
			prepaid_delta_pence: 0,
			overage_delta_pence: 0
		},
		{
			kind: "expire",
			entries: 1,
			included_delta_pence: -11980,
			prepaid_delta_pence: 0,
			overage_delta_pence: 0
		},
		{
			kind: "grant",
			entries: 1,
			included_delta_pence: 12e3,
			prepaid_delta_pence: 0,
			overage_delta_pence: 0
		}
	],
	closing: {
		included_credit_pence: 0,
		prepaid_credit_pence: 0,
		overage_owed_pence: 0
	},
	invoiced: [{
		invoice_id: "bil_1QwErTyUiOpAsDfGhJkL",
		number: 3,
		state: "paid",
		kind: "plan",
		description: "Growth, 2026-03",
		amount_pence: 9900
	}],
	plan_price_pence: 9900,
	overage_pence: 0,
	total_due_pence: 9900
};
function statementOperations(deps) {
	return [operation({
		method: "GET",
		path: "/v1/billing/statements/{month}",
		id: "readStatement",
		tag: "Billing",
		summary: "Read the statement of a month",
		description: "With `Accept: text/csv` as CSV, with `Accept: text/html` as a page to print.",
		scope: "billing:read",
		params: { month: "Calendar month, UTC: YYYY-MM." },
		answers: { 200: withForms(jsonResponse("The statement; it adds up to the ledger.", StatementSchema, sampleStatement), {
			"text/csv": "section,item,units\r\n",
			"text/html": "<!doctype html>…"
		}) },
		handle: async ({ caller: { organisationId }, params: { month }, request, reply }) => {
			await bringToPresent(deps, organisationId);
			const account = await readAccount(deps, organisationId);
			const statement = await readStatement(deps.sql, {
				account,
				month,
				nowMs: deps.clock.now()
			});
			reply.header("vary", "accept");
			const form = preferredType(request, [
				"application/json",
				"text/csv",
				"text/html"
			]);
			if (form === "text/csv") return sendCsv(reply, `statement-${month}.csv`, toCsv(STATEMENT_FIELDS, statementRows(statement)));
			if (form === "text/html") return sendPrintable(reply, statementPage(statement, await requireOrganisation(deps.sql, organisationId)));
			return statement;
		}
	})];
}

// src/http/log-limit.ts
/** How many entries of a log stand on a page: more as CSV, which programs write and read, than as JSON. */
const ROWS_DEFAULT = 100;
const ROWS_MAX$1 = 1e3;
const CSV_ROWS_MAX = 1e4;
const LogLimit = build_default.Optional(build_default.Integer({
	minimum: 1,
	maximum: CSV_ROWS_MAX,
	description: `On a page. As JSON: default ${ROWS_DEFAULT}, at most ${ROWS_MAX$1}. As CSV: default and at most ${CSV_ROWS_MAX}.`
}));
function logLimit(wanted, asCsv) {
	if (asCsv) return wanted ?? CSV_ROWS_MAX;
	if (wanted !== void 0 && wanted > ROWS_MAX$1) throw new Problem("invalid_query", { detail: `limit: at most ${ROWS_MAX$1} entries on a page.` });
	return wanted ?? ROWS_DEFAULT;
}

// src/billing/ledger/entries.ts
const CLOCK_SLACK_MS = HOUR_MS;
const ENTRIES_LOOKED_AT_MAX = 2e4;
async function readEntryPage(sql, query) {
	const { organisationId, limit } = query;
	const [lowSeq, highSeq] = await Promise.all([query.fromMs === void 0 ? 1 : seqNear(sql, organisationId, query.fromMs - CLOCK_SLACK_MS, "after"), query.toMs === void 0 ? lastSeq(sql, organisationId) : seqNear(sql, organisationId, query.toMs + CLOCK_SLACK_MS, "before")]);
	if (lowSeq === void 0 || highSeq === void 0) return {
		entries: [],
		nextBeforeSeq: void 0
	};
	const beforeSeq = Math.min(query.beforeSeq ?? Number.MAX_SAFE_INTEGER, highSeq + 1);
	const indexed = query.kind !== void 0 && query.kind !== "charge" && query.family === void 0;
	const floorSeq = indexed ? lowSeq : Math.max(lowSeq, beforeSeq - ENTRIES_LOOKED_AT_MAX);
	const params = [
		organisationId,
		floorSeq,
		beforeSeq
	];
	const mark = (value) => `$${params.push(value)}`;
	let where = "organisation_id = $1 and seq >= $2 and seq < $3";
	if (query.kind !== void 0) where += ` and kind = ${mark(query.kind)}${indexed ? ` and kind <> 'charge'` : ""}`;
	if (query.family !== void 0) where += ` and family = ${mark(query.family)}`;
	if (query.fromMs !== void 0) where += ` and created_at >= ${mark(query.fromMs)}`;
	if (query.toMs !== void 0) where += ` and created_at < ${mark(query.toMs)}`;
	const entries$1 = (await sql.query(`select ${entries.columns()} from ledger_entry where ${where} order by seq desc limit ${limit + 1}`, params)).map(entries.fromRow);
	if (entries$1.length > limit) {
		const page = entries$1.slice(0, limit);
		return {
			entries: page,
			nextBeforeSeq: page.at(-1)?.seq
		};
	}
	return {
		entries: entries$1,
		nextBeforeSeq: floorSeq > lowSeq ? floorSeq : void 0
	};
}
async function lastSeq(sql, organisationId) {
	return (await sql.query("select entry_seq from billing_account where organisation_id = $1", [organisationId]))[0]?.entry_seq;
}
/** The number of the first entry at or after a time, or of the last before it. */
async function seqNear(sql, organisationId, timeMs, side) {
	const [compare, order] = side === "after" ? [">=", "asc"] : ["<", "desc"];
	return (await sql.query(`select seq from ledger_entry where organisation_id = $1 and created_at ${compare} $2
     order by organisation_id ${order}, created_at ${order} limit 1`, [organisationId, timeMs]))[0]?.seq;
}

// src/billing/ledger/entry-view.ts
/** An entry of the ledger as the API shows it. */
const EntrySchema = build_default.Object({
	id: build_default.String(),
	number: build_default.Integer({
		minimum: 1,
		description: "Counts the entries of the organisation without a gap."
	}),
	created_at: Time$1("When it was posted."),
	kind: oneOf(ENTRY_KINDS),
	month: build_default.String({ description: "The period it belongs to." }),
	plan: build_default.String(),
	family: build_default.Union([FamilySchema, build_default.Null()]),
	units: build_default.Integer(),
	free_units: build_default.Integer(),
	unit_price_pence: build_default.Integer(),
	included_delta_pence: build_default.Integer({ description: "What moved in each pot." }),
	prepaid_delta_pence: build_default.Integer(),
	overage_delta_pence: build_default.Integer(),
	included_after_pence: Pence("What was in each pot afterwards."),
	prepaid_after_pence: Pence("As above."),
	overage_after_pence: Pence("As above."),
	credential_id: build_default.Union([build_default.String(), build_default.Null()]),
	request_id: build_default.Union([build_default.String(), build_default.Null()]),
	reference: build_default.Union([build_default.String(), build_default.Null()]),
	detail: build_default.Union([build_default.String(), build_default.Null()])
});
const ENTRY_FIELDS = Object.keys(EntrySchema.properties);
const sampleEntry = {
	id: "ent_5tY8uJ2kLm0PqRsT4vWx",
	number: 42,
	created_at: "2026-03-02T10:15:30.000Z",
	kind: "charge",
	month: "2026-03",
	plan: "growth",
	family: "payment-risk",
	units: 10,
	free_units: 0,
	unit_price_pence: 2,
	included_delta_pence: -20,
	prepaid_delta_pence: 0,
	overage_delta_pence: 0,
	included_after_pence: 11250,
	prepaid_after_pence: 0,
	overage_after_pence: 0,
	credential_id: "key_9aBcDeFgHiJkLmNoPqRs",
	request_id: "req_Xk29fPq0LmZt0000001",
	reference: null,
	detail: null
};
function entryView(entry) {
	return {
		id: entry.id,
		number: entry.seq,
		created_at: iso(entry.createdAtMs),
		kind: entry.kind,
		month: entry.period,
		plan: entry.planId,
		family: entry.family,
		units: entry.units,
		free_units: entry.freeUnits,
		unit_price_pence: entry.unitPricePence,
		included_delta_pence: entry.includedDeltaPence,
		prepaid_delta_pence: entry.prepaidDeltaPence,
		overage_delta_pence: entry.overageDeltaPence,
		included_after_pence: entry.includedAfterPence,
		prepaid_after_pence: entry.prepaidAfterPence,
		overage_after_pence: entry.overageAfterPence,
		credential_id: entry.credentialId,
		request_id: entry.requestId,
		reference: entry.reference,
		detail: entry.detail
	};
}

// src/billing/ledger/http.ts
/** The ledger as its owner reads it. */
function ledgerOperations(deps) {
	return [operation({
		method: "GET",
		path: "/v1/billing/ledger",
		id: "listLedger",
		tag: "Billing",
		summary: "List the entries of the ledger, newest first",
		description: "With `Accept: text/csv` as CSV.",
		scope: "billing:read",
		query: build_default.Object({
			from: Moment$1("Entries posted at this time or later."),
			to: Moment$1("Entries posted before this time."),
			kind: build_default.Optional(oneOf(ENTRY_KINDS)),
			family: build_default.Optional(FamilySchema),
			limit: LogLimit,
			cursor: Cursor
		}, { additionalProperties: false }),
		answers: { 200: withForms(jsonResponse("A page of entries.", build_default.Object({
			data: build_default.Array(EntrySchema),
			next_cursor: NextCursor
		}), {
			data: [sampleEntry],
			next_cursor: null
		}, LINK_HEADER), { "text/csv": `${ENTRY_FIELDS.join(",")}\r\n` }) },
		handle: async ({ caller: { organisationId }, query, request, reply }) => {
			const asCsv = preferredType(request, ["application/json", "text/csv"]) === "text/csv";
			const limit = logLimit(query.limit, asCsv);
			const { from, to, kind, family, cursor } = query;
			const key = {
				organisationId,
				list: JSON.stringify([
					"ledger",
					from,
					to,
					kind,
					family
				])
			};
			const page = await readEntryPage(deps.sql, {
				organisationId,
				fromMs: momentOf("from", from),
				toMs: momentOf("to", to),
				kind,
				family,
				beforeSeq: cursor === void 0 ? void 0 : (await deps.cursors.read(key, cursor, ["number"]))[0],
				limit
			});
			const next = page.nextBeforeSeq === void 0 ? null : deps.cursors.make(key, [page.nextBeforeSeq]);
			linkNext(request, reply, deps.baseUrl, next);
			reply.header("vary", "accept");
			const entries = page.entries.map(entryView);
			if (asCsv) {
				const cells = entries.map((entry) => ENTRY_FIELDS.map((field) => entry[field]));
				return sendCsv(reply, `ledger-${organisationId}.csv`, toCsv(ENTRY_FIELDS, cells));
			}
			return {
				data: entries,
				next_cursor: next
			};
		}
	})];
}

// src/billing/http.ts
/** Everything under /v1/plans, /v1/billing, /v1/checkout and /v1/webhooks. */
function registerBilling(app, deps) {
	registerOperations(app, deps, [
		...subscriptionOperations(deps),
		...ledgerOperations(deps),
		...usageOperations(deps),
		...invoiceOperations(deps),
		...paymentOperations(deps),
		...statementOperations(deps),
		...alertOperations(deps),
		...checkoutOperations(deps)
	]);
}

// src/identity/people/operator-http.ts
const NOTHING = { detail: "There is nothing at this path." };
async function requireOperator(deps, request) {
	const { person } = await deps.requireSession(request);
	if (!await isOperator(deps.sql, person.id)) throw new Problem("not_found", NOTHING);
	return person.id;
}
function operatorRead(app, deps, route) {
	app.route({
		method: "GET",
		url: route.path,
		validatorCompiler: resourceValidator,
		schema: {
			hide: true,
			querystring: route.query,
			params: build_default.Object({})
		},
		onRequest: async (request) => void await requireOperator(deps, request),
		handler: async (request, reply) => {
			const answer = await route.handle(request.params, request.query);
			return sendJson(unkept(reply), answer);
		}
	});
}
function operatorChange(app, deps, route) {
	app.route({
		method: "POST",
		url: route.path,
		validatorCompiler: resourceValidator,
		schema: {
			hide: true,
			body: route.body,
			params: build_default.Object({})
		},
		onRequest: async (request) => void await requireOperator(deps, request),
		handler: async (request, reply) => {
			if (request.headers["idempotency-key"] === void 0) throw new Problem("invalid_header", { detail: "Send an Idempotency-Key, so that a repeat changes nothing." });
			const params = request.params;
			const prepared = await route.prepare?.();
			const id = await requireOperator(deps, request);
			const by = (place) => operatorIn(place, {
				id,
				ip: request.ip,
				requestId: request.id
			});
			return answerChange(request, unkept(reply), deps, `operator ${id}`, (tx) => route.handle(tx, {
				params,
				body: request.body,
				by,
				prepared
			}), () => route.after(params));
		}
	});
}
const unkept = (reply) => reply.header("cache-control", "no-store");
/** An act that takes no more than the thing it is about. */
const NoBody = build_default.Object({}, { additionalProperties: false });
function registerPersonActs(app, deps) {
	operatorChange(app, deps, {
		path: "/api/operator/people/:person_id/reset-password",
		body: NoBody,
		async prepare() {
			const password = newPassword();
			return {
				password,
				passwordHash: await hashPassword(password)
			};
		},
		async handle(tx, { params, by, prepared }) {
			const person = await resetPassword(tx, params.person_id, prepared.passwordHash, by);
			return {
				status: 200,
				body: {
					id: person.id,
					email: person.email,
					password: prepared.password
				}
			};
		},
		after: deps.onPeopleChanged
	});
}

// src/billing/subscription/operator-http.ts
const ROWS_MAX = 200;
const MEMBERS_SHOWN = 200;
const INVOICES_SHOWN = 50;
const ENTRIES_SHOWN = 10;
const ORGANISATION = "/api/operator/organisations/:organisation_id";
const INVOICE = "/api/operator/invoices/:invoice_id";
/** One line as somebody types it. */
const Line = (maxLength) => build_default.String({
	minLength: 1,
	maxLength,
	pattern: "^[^\\u0000-\\u001f]*$"
});
function registerOperatorRoutes(app, deps) {
	registerReading(app, deps);
	registerActs(app, deps);
	registerInvoiceActs(app, deps);
}
function registerReading(app, deps) {
	operatorRead(app, deps, {
		path: "/api/operator/organisations",
		query: build_default.Object({
			search: build_default.Optional(build_default.String({ maxLength: 200 })),
			state: build_default.Optional(oneOf([...ORGANISATION_STATES, "awaiting_approval"]))
		}),
		async handle(_, { search = "", state }) {
			const rows = await findOrganisations(deps, {
				search: search.trim(),
				...state === "awaiting_approval" ? { awaitingApproval: true } : { state },
				limit: 201
			});
			return {
				data: rows.slice(0, ROWS_MAX).map(overviewOf),
				more: rows.length > ROWS_MAX
			};
		}
	});
	const none = build_default.Object({});
	operatorRead(app, deps, {
		path: ORGANISATION,
		query: none,
		async handle({ organisation_id: id }) {
			await requireOrganisation(deps.sql, id);
			const billing = await billingView(deps, id);
			const [organisation, standing, members, open, recent, ledger] = await Promise.all([
				requireOrganisation(deps.sql, id),
				standingView(deps, id),
				listMembers(deps.sql, id, { limit: MEMBERS_SHOWN }),
				openInvoices(deps.sql, id),
				listInvoices(deps.sql, {
					organisationId: id,
					limit: INVOICES_SHOWN
				}),
				readEntryPage(deps.sql, {
					organisationId: id,
					limit: ENTRIES_SHOWN
				})
			]);
			return {
				...organisationOf$1(organisation),
				created_at: iso(organisation.created_at),
				acts: openWords(organisation),
				billing,
				standing,
				members: members.rows.map(({ id: person, name, email, role, state, created_at }) => ({
					id: person,
					name,
					email,
					role,
					state,
					joined_at: iso(created_at)
				})),
				invoices: [...open, ...recent.rows.filter(({ state }) => state !== "open")].map(invoiceView),
				ledger: ledger.entries.map(entryView)
			};
		}
	});
}
function registerActs(app, deps) {
	const after = ({ organisation_id: id }) => deps.onAccountChanged(id);
	for (const word of OPERATOR_WORD_NAMES) operatorChange(app, deps, {
		path: `${ORGANISATION}/${word}`,
		body: NoBody,
		async handle(tx, { params, by }) {
			await setOperatorWord(tx, deps, by(params.organisation_id), word);
			return {
				status: 200,
				body: organisationOf$1(await requireOrganisation(tx, params.organisation_id))
			};
		},
		after
	});
	const Credit = build_default.Object({
		pence: build_default.Integer(),
		reason: Line(500)
	}, { additionalProperties: false });
	operatorChange(app, deps, {
		path: `${ORGANISATION}/credit`,
		body: Credit,
		async handle(tx, { params, body, by }) {
			const { account } = await addCredit(tx, deps, by(params.organisation_id), body);
			return {
				status: 200,
				body: { credit_pence: account.includedPence + account.prepaidPence }
			};
		},
		after
	});
}
function registerInvoiceActs(app, deps) {
	const Settling = build_default.Object({ reference: build_default.Optional(Line(200)) }, { additionalProperties: false });
	const after = async ({ invoice_id: id }) => deps.onAccountChanged((await requireInvoice(deps.sql, id)).organisation_id);
	operatorChange(app, deps, {
		path: `${INVOICE}/settle`,
		body: Settling,
		async handle(tx, { params, body, by }) {
			const invoice = await requireInvoice(tx, params.invoice_id);
			const actor = by(invoice.organisation_id);
			const receipt = await settleByHand(tx, deps, actor, {
				invoice,
				reference: body.reference ?? null
			});
			const { outcome, amount_pence } = receipt.payment;
			return {
				status: 200,
				body: {
					invoice: invoiceView(receipt.invoice ?? invoice),
					outcome,
					amount_pence,
					repeated: receipt.repeated
				}
			};
		},
		after
	});
	operatorChange(app, deps, {
		path: `${INVOICE}/void`,
		body: NoBody,
		async handle(tx, { params, by }) {
			const invoice = await requireInvoice(tx, params.invoice_id);
			const voided = await voidInvoice(tx, deps, by(invoice.organisation_id), invoice);
			return {
				status: 200,
				body: { invoice: invoiceView(voided) }
			};
		},
		after
	});
}
const organisationOf$1 = ({ id, name, state, state_reason }) => ({
	id,
	name,
	state,
	state_reason
});
const overviewOf = ({ organisation, account, members, owedPence }) => ({
	...organisationOf$1(organisation),
	plan: account.planId,
	credit_pence: account.includedPence + account.prepaidPence,
	overage_pence: account.overagePence,
	owed_pence: owedPence,
	members,
	created_at: iso(organisation.created_at)
});

// src/feeds/routes.ts
function registerIntelligenceRoutes(app, deps) {
	app.get("/api/intelligence", { schema: { hide: true } }, async (request, reply) => {
		await deps.requireSession(request);
		const snapshot = deps.snapshotInfo();
		const engine = await deps.engineInfo();
		const feeds = await createFeedStore(deps.sql).list();
		const known = new Set(snapshot?.sources.map(({ id }) => id));
		return reply.header("cache-control", "no-store").send({
			version: snapshot?.version ?? engine?.version ?? null,
			built_at: snapshot ? iso(snapshot.builtAtMs) : engine?.built_at ?? null,
			counts: snapshot?.counts ?? null,
			sources: [...(snapshot?.sources ?? []).map((source) => ({
				id: source.id,
				name: source.name,
				licence: source.licence,
				rows: source.rows,
				as_of: iso(source.asOfMs),
				...feedView(feeds.find(({ feed }) => feed.id === source.id), deps.keys)
			})), ...feeds.filter(({ feed }) => !known.has(feed.id)).map((state) => ({
				id: state.feed.id,
				name: state.feed.name,
				licence: state.feed.licence,
				rows: state.rows ?? 0,
				as_of: isoOrNull(state.fetchedAtMs),
				...feedView(state, deps.keys)
			}))]
		});
	});
}
function feedView(state, keys) {
	if (!state) return {
		state: "bundled",
		last_error: null,
		last_error_at: null,
		next_due_at: null
	};
	const neverLookedAt = state.fetchedAtMs === void 0 && state.lastError === void 0;
	const off = keys ? !isOn(state, keys) : !state.enabled || state.feed.key !== void 0 && neverLookedAt;
	return {
		state: off ? "off" : state.held ? "held" : state.lastError === void 0 ? "fresh" : "failing",
		last_error: state.lastError ?? null,
		last_error_at: isoOrNull(state.lastErrorAtMs),
		next_due_at: off ? null : isoOrNull(state.nextDueAtMs)
	};
}

// src/http/openapi.ts
/** OpenAPI 3.1, made from the route schemas, and the reference page over it. */
async function registerOpenApi(app, options) {
	app.addSchema(ProblemSchema);
	await app.register(swagger, {
		openapi: {
			openapi: "3.1.0",
			info: {
				title: "Assay",
				version: VERSION,
				summary: "Risk intelligence at the moment a business decides.",
				description: "Answers low, medium or high for an email address, a domain or an IP address, singly or up to 10,000 at a time. Every answer says what it cost. A result is a signal from the intelligence available at request time: use it beside your other controls, not in their place.",
				license: {
					name: "Apache-2.0",
					url: "https://www.apache.org/licenses/LICENSE-2.0"
				}
			},
			servers: [{ url: options.baseUrl }],
			tags: [
				{
					name: "Risk",
					description: "One indicator or a batch, at the moment of decision."
				},
				{
					name: "Billing",
					description: "Plans, credit, usage, statements and payment."
				},
				{
					name: "Checkout",
					description: "Subscribing: organisation, owner, plan and first key."
				},
				{
					name: "Organisation",
					description: "Members, invitations, API keys, applications, and who changed what."
				}
			],
			components: { securitySchemes: {
				session: {
					type: "apiKey",
					in: "cookie",
					name: "assay_session",
					description: "A person signed in to the console, by the role held in the organisation. Writes carry `x-csrf-token`; `x-organisation-id` says which organisation, for those in more than one."
				},
				apiKey: {
					type: "apiKey",
					in: "header",
					name: "x-api-key",
					description: "Shown once, after checkout."
				},
				oauth2: {
					type: "oauth2",
					description: "Bearer token in the Authorization header.",
					flows: {
						clientCredentials: {
							tokenUrl: `${options.baseUrl}/oauth/token`,
							scopes: scopeWords("clientCredentials")
						},
						authorizationCode: {
							authorizationUrl: `${options.baseUrl}/oauth/authorize`,
							tokenUrl: `${options.baseUrl}/oauth/token`,
							scopes: scopeWords("user")
						}
					}
				}
			} }
		},
		refResolver: { buildLocalReference: (json, _baseUri, _fragment, i) => typeof json.$id === "string" ? json.$id : `Schema${i}` }
	});
	let text;
	app.get("/openapi.json", { schema: { hide: true } }, (_request, reply) => {
		text ??= JSON.stringify(openApiDocument(app));
		return reply.type("application/json; charset=utf-8").send(text);
	});
}
/**
* The page at /docs: everything it needs comes from this server, and its scripts may do no more than those of the
* console, whose origin it shares. The package that makes it builds addresses from what the request says of itself, so
* it is asked once, apart from all requests, and what it made is served.
*/
function registerReference(app, { baseUrl }) {
	const basePath = new URL(baseUrl).pathname.replace(/\/+$/, "");
	let made;
	const reference = () => {
		made ??= makeReference(basePath).catch((error) => {
			made = void 0;
			throw error;
		});
		return made;
	};
	const options = { schema: { hide: true } };
	for (const path of ["/docs", "/docs/"]) app.get(path, options, async (_request, reply) => {
		const { page, policy } = await reference();
		return reply.type("text/html; charset=utf-8").header("content-security-policy", policy).send(page);
	});
	app.get(REFERENCE_SCRIPT, options, async (_request, reply) => {
		const { script } = await reference();
		return reply.type("text/javascript; charset=utf-8").header("cache-control", "public, max-age=3600").send(script);
	});
}
const REFERENCE_SCRIPT = "/docs/js/scalar.js";
async function makeReference(basePath) {
	const maker = Fastify();
	const { default: apiReference } = await import("@scalar/fastify-api-reference");
	await maker.register(apiReference, {
		routePrefix: "/docs",
		configuration: {
			url: `${basePath}/openapi.json`,
			cdn: `${basePath}${REFERENCE_SCRIPT}`,
			title: "Assay API reference",
			pageTitle: "Assay API reference",
			withDefaultFonts: false,
			hideClientButton: true,
			telemetry: false,
			showDeveloperTools: "never",
			agent: { disabled: true },
			mcp: { disabled: true }
		}
	});
	const page = (await maker.inject("/docs/")).body;
	const script = (await maker.inject(REFERENCE_SCRIPT)).rawPayload;
	await maker.close();
	return {
		page,
		script,
		policy: referencePolicy(page)
	};
}
/** The page configures itself by scripts that stand in it: these may run, and no others. */
function referencePolicy(page) {
	return [
		"default-src 'none'",
		`script-src 'self' ${[...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`).join(" ")}`,
		"style-src 'self' 'unsafe-inline'",
		"img-src 'self' data:",
		"font-src 'self' data:",
		"connect-src 'self'",
		"worker-src 'self' blob:",
		"form-action 'none'",
		"base-uri 'none'",
		"frame-ancestors 'none'"
	].join("; ");
}
/** What /openapi.json answers, free of what only the generator needs. */
function openApiDocument(app) {
	const document = structuredClone(app.swagger());
	for (const schema of Object.values(document.components?.schemas ?? {})) delete schema.$id;
	return document;
}
function scopeWords(flow) {
	return Object.fromEntries(Object.entries(SCOPES).filter(([, row]) => row[flow]).map(([name, row]) => [name, row.words]));
}

// src/http/browser-headers.ts
/**
* What every answer tells a browser, be it JSON, a file, a problem or a redirect: take it for what it is, show it in no
* frame, run nothing in it, and tell other sites nothing of its address. Pages say themselves what they may load.
*/
const EVERYWHERE = {
	"content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"x-content-type-options": "nosniff",
	"x-frame-options": "DENY",
	"referrer-policy": "same-origin"
};
/** Half a year, for this host alone: other names of the domain are not ours to decide about. */
const SECURE_ONLY = { "strict-transport-security": "max-age=15552000" };
function browserHeaders(baseUrl) {
	return baseUrl.startsWith("https:") ? {
		...EVERYWHERE,
		...SECURE_ONLY
	} : EVERYWHERE;
}

// src/http/pages.ts
const CONSOLE_DIRECTORY = join((import.meta.dirname + "/../http"), "../../console/dist");
const TYPES = {
	".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
	".png": "image/png",
	".woff2": "font/woff2"
};
/** Addresses at which the app takes over: its own router knows the rest. */
const PAGE_PATHS = [
	"/",
	"/guides",
	"/guides/:name",
	"/sign-in",
	"/pricing",
	"/checkout",
	"/invitation",
	"/interaction/:uid",
	"/device",
	"/device/*",
	"/done",
	"/console",
	"/console/*"
];
const PAGE_HEADERS = {
	"content-type": "text/html; charset=utf-8",
	"cache-control": "no-cache",
	"content-security-policy": [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self' 'unsafe-inline'",
		"img-src 'self' data:",
		"font-src 'self'",
		"connect-src 'self'",
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'"
	].join("; "),
	"permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
};
async function loadPages(options) {
	const { directory = CONSOLE_DIRECTORY } = options;
	const basePath = new URL(options.baseUrl).pathname.replace(/\/+$/, "");
	const headers = {
		...browserHeaders(options.baseUrl),
		...PAGE_HEADERS
	};
	const index = await readIfThere(join(directory, "index.html"));
	const assets = /* @__PURE__ */ new Map();
	if (index === void 0) return {
		built: false,
		assets,
		headers,
		render: renderWithoutApp
	};
	const folder = join(directory, "assets");
	for (const name of await readdir(folder)) {
		const type = TYPES[extname(name)];
		if (type === void 0) continue;
		const path = join(folder, name);
		assets.set(name, {
			type,
			plain: await readFile(path),
			br: await readIfThere(`${path}.br`),
			gzip: await readIfThere(`${path}.gz`)
		});
	}
	const html = placeUnder(basePath, index.toString("utf8"));
	return {
		built: true,
		assets,
		headers,
		render: (error) => error ? injectMeta(html, error) : html
	};
}
/** The build names its files relative to the page; pages lie at different depths, so the server says where they are. */
function placeUnder(basePath, html) {
	const placed = html.replaceAll("\"./assets/", () => `"${escapeHtml(basePath)}/assets/`);
	return basePath === "" ? placed : addToHead(placed, `<meta name="assay-base" content="${escapeHtml(basePath)}">`);
}
function renderWithoutApp(error) {
	const [title, text] = error ? ["This request cannot go on", `${error.code}: ${error.detail}`] : ["The pages are not built", "The operator builds them with npm run build and starts the server again."];
	return `<!doctype html><html lang="en-GB"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><h1>${title}</h1><p>${escapeHtml(text)}</p></html>`;
}
async function readIfThere(path) {
	try {
		return await readFile(path);
	} catch (error) {
		if (error.code === "ENOENT") return void 0;
		throw error;
	}
}
function registerPages(app, pages) {
	for (const path of PAGE_PATHS) app.get(path, { schema: { hide: true } }, (_request, reply) => sendPage(reply, pages));
	app.get("/assets/:name", { schema: { hide: true } }, (request, reply) => {
		const asset = pages.assets.get(request.params.name);
		if (!asset) throw new Problem("not_found", { detail: "There is no such file. Load the page again." });
		return sendAsset(request, reply, asset);
	});
}
/** Sends the app at whatever address was asked for; with an error, the app shows that and nothing else. */
function sendPage(reply, pages, options = {}) {
	reply.headers(pages.headers);
	if (options.error) return reply.code(options.status ?? 400).header("cache-control", "no-store").send(pages.render({
		...options.error,
		request_id: reply.request.id
	}));
	return reply.code(pages.built ? options.status ?? 200 : 503).send(pages.render());
}
/** Writes the error into the head of the page, where the app finds it without an inline script. */
function injectMeta(html, error) {
	return addToHead(html, `<meta name="assay-error" content="${escapeHtml(JSON.stringify(error))}">`);
}
function addToHead(html, element) {
	return html.replace("</head>", () => `${element}</head>`);
}
function sendAsset(request, reply, asset) {
	reply.header("content-type", asset.type).header("cache-control", "public, max-age=31536000, immutable").header("vary", "accept-encoding");
	const encoding = chooseEncoding(request.headers["accept-encoding"], asset);
	if (encoding === void 0) return reply.send(asset.plain);
	return reply.header("content-encoding", encoding).send(asset[encoding]);
}
/** The smallest form the client takes (RFC 9110 §12.5.3); `q=0` means that it does not. */
function chooseEncoding(accepted, asset) {
	if (accepted === void 0) return void 0;
	const taken = /* @__PURE__ */ new Set();
	for (const part of accepted.toLowerCase().split(",")) {
		const [coding = "", ...parameters] = part.split(";").map((piece) => piece.trim());
		if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(coding);
	}
	return ["br", "gzip"].find((coding) => asset[coding] !== void 0 && taken.has(coding));
}

// src/http/under-way.ts
const REQUESTS = Symbol("requests under way");
const WAITING = Symbol("requests that wait for their turn");
const COUNTED = Symbol("counted as under way");
const NEWEST = Symbol("the newest request");
const ON_ANSWER = Symbol("called after an answer");
function trackUnderWay(app) {
	let count = 0;
	let onIdle;
	function leave(requests) {
		count -= requests;
		if (count === 0) onIdle?.();
	}
	app.addHook("onRequest", (request, _reply, done) => {
		const socket = request.raw.socket;
		const others = socket[REQUESTS];
		if (others === void 0) socket.once("close", () => {
			leave(socket[REQUESTS] ?? 0);
			socket[REQUESTS] = 0;
		});
		socket[REQUESTS] = (others ?? 0) + 1;
		socket[NEWEST] = request.raw;
		const counted = request.raw;
		counted[COUNTED] = true;
		count++;
		done();
	});
	app.addHook("onResponse", (request, _reply, done) => {
		const socket = request.raw.socket;
		const { [COUNTED]: counted } = request.raw;
		if (counted && socket[REQUESTS]) {
			socket[REQUESTS]--;
			leave(1);
		}
		socket[ON_ANSWER]?.();
		done();
	});
	return {
		get count() {
			return count;
		},
		idle() {
			if (count === 0) return Promise.resolve();
			return new Promise((resolve) => {
				onIdle = resolve;
			});
		}
	};
}
/** To be called for every request, also for those that are refused before they are counted. */
function noteNewest(request) {
	const socket = request.socket;
	socket[NEWEST] = request;
}
/** A request that nobody handles yet is one that has no answer yet. */
function beginWaiting(request) {
	const socket = request.socket;
	socket[WAITING] = (socket[WAITING] ?? 0) + 1;
}
/** To be called when it is handled, right before that. */
function endWaiting(request) {
	const socket = request.socket;
	socket[WAITING] = (socket[WAITING] ?? 1) - 1;
}
/**
* For a connection on which something came that is no HTTP: calls back once, when every whole request before it has its
* answer, so that no caller takes the refusal for the answer to an earlier request. `unanswered` is false when what broke
* was the body of a request that had its answer already.
*/
function afterAnswers(socket, then) {
	if (socket[ON_ANSWER]) return;
	const bodyBroke = socket[NEWEST]?.complete === false;
	let told = false;
	const look = () => {
		const under = (socket[REQUESTS] ?? 0) + (socket[WAITING] ?? 0);
		if (told || under > (bodyBroke ? 1 : 0)) return;
		told = true;
		then(!bodyBroke || under === 1);
	};
	socket[ON_ANSWER] = look;
	look();
}

// src/http/connection.ts
/** What HTTP demands of a connection where Node leaves it open, or answers in a form that is not ours. */
/** Refuses what could be read in two ways, before anything else looks at the request. */
function keepToHttp(app) {
	app.addHook("onRequest", (request, _reply, done) => {
		const { httpVersion, rawHeaders, headers } = request.raw;
		const hosts = countHosts(rawHeaders);
		if (hosts > 1 || hosts === 0 && httpVersion === "1.1") return done(new Problem("invalid_header", { detail: `Send one Host header, not ${hosts}.` }));
		if (httpVersion === "1.0" && headers["transfer-encoding"] !== void 0) return done(new Problem("invalid_header", {
			detail: "HTTP/1.0 has no Transfer-Encoding. Send Content-Length.",
			headers: { connection: "close" }
		}));
		done();
	});
	app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
}
function countHosts(rawHeaders) {
	let count = 0;
	for (let i = 0; i < rawHeaders.length; i += 2) {
		const name = rawHeaders[i] ?? "";
		if (name.length === 4 && name.toLowerCase() === "host") count++;
	}
	return count;
}
/** What did not even parse as HTTP gets a problem too, written by hand, after the answers to what came before it. */
function refuseRaw(error, socket, options) {
	if (error.code === "ECONNRESET" || !socket.writable) {
		socket.destroy();
		return;
	}
	afterAnswers(socket, (unanswered) => {
		if (!unanswered || !socket.writable) {
			socket.end();
			return;
		}
		const problem = error.code === "HPE_HEADER_OVERFLOW" ? new Problem("headers_too_large", { detail: "The request headers are over 16 KiB." }) : new Problem("invalid_header", { detail: error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "The request did not come in time." : "The request is not valid HTTP." });
		const requestId = options.newRequestId();
		options.logger.info({
			request_id: requestId,
			status: problem.status,
			reason: error.code
		}, "not a request");
		const body = JSON.stringify(problemBody(problem, {
			baseUrl: options.baseUrl,
			requestId
		}));
		const head = [
			`HTTP/1.1 ${problem.status} ${problem.status === 431 ? "Request Header Fields Too Large" : "Bad Request"}`,
			`Content-Type: ${PROBLEM_TYPE}`,
			`Content-Length: ${Buffer.byteLength(body)}`,
			`X-Request-Id: ${requestId}`,
			...Object.entries(browserHeaders(options.baseUrl)).map(([name, value]) => `${name}: ${value}`),
			"Connection: close"
		];
		socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
	});
}

// src/http/cors.ts
/**
* Browser applications on other origins may call the API with a key or token of their own. Cookies are never sent
* along (`*` forbids it), so a console session cannot be used from elsewhere.
*/
const SHOWN_HEADERS = [
	"ETag",
	"Idempotent-Replayed",
	"Link",
	"RateLimit",
	"RateLimit-Policy",
	"Retry-After",
	"WWW-Authenticate",
	"X-Request-Id"
].join(", ");
const SENT_HEADERS = "Authorization, Content-Type, Idempotency-Key, If-Match, X-Api-Key";
const METHODS$1 = "GET, POST, PUT, PATCH, DELETE";
const PREFLIGHT_SECONDS = "7200";
function allowOtherOrigins(app) {
	app.addHook("onRequest", (request, reply, done) => {
		if (request.headers.origin === void 0 || !request.url.startsWith("/v1/")) return done();
		reply.header("access-control-allow-origin", "*").header("access-control-expose-headers", SHOWN_HEADERS);
		if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === void 0) return done();
		reply.code(204).header("access-control-allow-methods", METHODS$1).header("access-control-allow-headers", SENT_HEADERS).header("access-control-max-age", PREFLIGHT_SECONDS).send();
	});
}

// src/http/body-garbage.ts
/**
* The pieces of a body lie outside V8's heap. After 64 MB of them V8 makes a full collection, which stops the event loop
* for tens of milliseconds. They are dead long before that: a short collection, of the newest objects only, frees them in
* a millisecond or two. So we ask for a short one before V8 makes a full one.
*/
const BYTES_BETWEEN = 16777216;
let bytes = 0;
/** To be called for each piece of a body that came in. */
function countBodyBytes(length) {
	bytes += length;
	if (bytes < BYTES_BETWEEN) return;
	bytes = 0;
	collectYoung();
}

// src/http/json-bounds.ts
/** For bodies of up to 64 KiB. */
const ORDINARY_JSON = {
	depthMax: 32,
	marksMax: 16e3
};
/** Marks of a body, and why it is not to be parsed, if so. Whether it is JSON at all is for the parser to say. */
function countJson(bytes, bounds) {
	const count = new JsonCount(bounds);
	count.add(bytes);
	return {
		marks: count.marks,
		refusal: count.refusal()
	};
}
function tooLarge() {
	return new Problem("body_too_large", { detail: BODY_TOO_LARGE_WORDS });
}
function oversized(code, detail, pointer = "") {
	return new Problem("validation_failed", {
		detail,
		errors: [{
			pointer,
			code,
			detail
		}]
	});
}
const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const NAME_LENGTH_MAX = 64;
/** What a byte outside a string stands for; 0 for one that is no mark. */
const SEPARATOR = 1;
const OPENING = 2;
const CLOSING = 3;
const STRING = 4;
const MEANINGS = /* @__PURE__ */ new Uint8Array(256);
for (const character of ",:") MEANINGS[character.charCodeAt(0)] = SEPARATOR;
for (const character of "[{") MEANINGS[character.charCodeAt(0)] = OPENING;
for (const character of "]}") MEANINGS[character.charCodeAt(0)] = CLOSING;
MEANINGS[QUOTE] = STRING;
/** Where a byte stands next; the end where it does not. */
function find(bytes, byte, from) {
	const at = bytes.indexOf(byte, from);
	return at < 0 ? bytes.length : at;
}
/** Counts piece by piece, as the body comes in, until it ends or a bound is exceeded. */
var JsonCount = class {
	#bounds;
	#stretchMax;
	#depth = 0;
	#marks = 0;
	/** Bytes of the string so far, or since the last mark. */
	#stretch = 0;
	#inString = false;
	/** The next byte of the string means itself. */
	#escaped = false;
	/** Where the next backslash of the piece is, as far as it was looked for. */
	#escapeAt = -1;
	/** The last string in the outermost object, as far as it may be the name of the list. */
	#name = "";
	#inList = false;
	/** Elements of the named list; of the last one where the name stands twice, as the parser would take it. */
	#listLength = 0;
	constructor(bounds) {
		this.#bounds = bounds;
		this.#stretchMax = bounds.stretchMax ?? Number.POSITIVE_INFINITY;
	}
	get marks() {
		return this.#marks;
	}
	get isExceeded() {
		const { depthMax, marksMax } = this.#bounds;
		return this.#depth > depthMax || this.#marks > marksMax || this.#stretch > this.#stretchMax;
	}
	add(bytes) {
		this.#escapeAt = -1;
		for (let i = 0; i < bytes.length && !this.isExceeded;) i = this.#inString ? this.#throughString(bytes, i) : this.#throughGap(bytes, i);
	}
	refusal() {
		const { depthMax, marksMax, stretchMax, list } = this.#bounds;
		if (this.#stretch > this.#stretchMax) {
			const pointer = this.#inList && this.#depth === 2 ? `/${list?.field}/${this.#listLength - 1}` : "";
			return oversized("too_long", `One value is longer than ${stretchMax} bytes.`, pointer);
		}
		if (this.#depth > depthMax) return oversized("too_deep", `The body is nested deeper than ${depthMax} levels.`);
		if (this.#marks <= marksMax) return void 0;
		if (list && this.#listLength > list.lengthMax) return list.refuse(`At least ${this.#listLength}`);
		return oversized("too_many_values", `The body has more than ${marksMax} brackets, commas, colons and strings.`);
	}
	/** Up to the end of a string, of the piece, or of what a string may hold; returns where it came to. */
	#throughString(bytes, from) {
		let i = from;
		if (this.#escaped) {
			this.#escaped = false;
			i++;
		}
		if (this.#escapeAt < i) this.#escapeAt = find(bytes, BACKSLASH, i);
		const quoteAt = find(bytes, QUOTE, i);
		if (quoteAt < this.#escapeAt) i = quoteAt;
		else for (i = this.#escapeAt; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
		this.#escaped = i > bytes.length;
		const to = Math.min(i, bytes.length);
		this.#stretch += to - from;
		if (this.#depth === 1 && this.#name.length <= NAME_LENGTH_MAX) this.#name += bytes.toString("latin1", from, Math.min(to, from + NAME_LENGTH_MAX + 1));
		if (to === bytes.length || bytes[to] !== QUOTE || this.#stretch > this.#stretchMax) return to;
		this.#inString = false;
		this.#stretch = 0;
		return to + 1;
	}
	/** Past the next mark outside a string. */
	#throughGap(bytes, from) {
		const meanings = MEANINGS;
		const end = Math.min(bytes.length, from + this.#stretchMax - this.#stretch + 1);
		let i = from;
		while (i < end && meanings[bytes[i]] === 0) i++;
		this.#stretch += i - from;
		if (i === bytes.length || this.#stretch > this.#stretchMax) return i;
		this.#stretch = 0;
		this.#marks++;
		const byte = bytes[i];
		switch (meanings[byte]) {
			case STRING:
				this.#inString = true;
				if (this.#depth === 1) this.#name = "";
				break;
			case SEPARATOR:
				if (this.#inList && this.#depth === 2) this.#listLength++;
				break;
			case OPENING:
				this.#depth++;
				if (this.#depth === 2) {
					this.#inList = byte === OPEN_ARRAY && this.#name === this.#bounds.list?.field;
					if (this.#inList) this.#listLength = 1;
				}
				break;
			case CLOSING: this.#depth--;
		}
		return i + 1;
	}
};
/**
* A body on its way to the parser, counted as it comes, so that no piece of it keeps the event loop for long. From where
* it exceeds a bound it is read and dropped, up to `bytesMax`, and ends with the problem: who sends all of it before
* reading gets the answer too. `counted` is told the marks of one that ends well.
*/
function boundedJson(body, bounds, bytesMax, counted) {
	const count = new JsonCount(bounds);
	let refusal;
	let bytes = 0;
	const through = new Transform({
		transform(chunk, _encoding, done) {
			bytes += chunk.length;
			countBodyBytes(chunk.length);
			if (!refusal) {
				count.add(chunk);
				refusal = count.refusal();
			}
			if (!refusal) done(null, chunk);
			else done(bytes > bytesMax ? tooLarge() : null);
		},
		flush(done) {
			counted?.(count.marks);
			done(refusal);
		}
	});
	through.on("error", () => {});
	body.on("error", (error) => through.destroy(error));
	return body.pipe(through);
}

// src/http/turns.ts
const DEFAULT_LIMITS$1 = {
	requestsPerTurn: 32,
	waitMsMax: 2e3
};
/** Puts itself before what handles the server's requests so far. */
function takeTurns(server, limits = DEFAULT_LIMITS$1) {
	const handlers = server.listeners("request");
	const handle = (request, response) => {
		for (const one of handlers) one.call(server, request, response);
	};
	const late = /* @__PURE__ */ new WeakSet();
	let waiting = [];
	let begun = 0;
	let scheduled = false;
	function schedule() {
		if (scheduled) return;
		scheduled = true;
		setImmediate(nextTurn);
	}
	function nextTurn() {
		scheduled = false;
		begun = 0;
		if (waiting.length === 0) return;
		const turn = waiting.splice(0, limits.requestsPerTurn);
		const oldestMs = performance.now() - limits.waitMsMax;
		begun = turn.length;
		schedule();
		for (const { request, response, sinceMs } of turn) {
			endWaiting(request);
			if (request.socket.destroyed) continue;
			if (sinceMs < oldestMs) late.add(request);
			handle(request, response);
		}
	}
	server.removeAllListeners("request");
	server.on("request", (request, response) => {
		schedule();
		noteNewest(request);
		if (isHealth(request)) return handle(request, response);
		if (begun >= limits.requestsPerTurn || waiting.length > 0) {
			beginWaiting(request);
			waiting.push({
				request,
				response,
				sinceMs: performance.now()
			});
			return;
		}
		begun++;
		handle(request, response);
	});
	server.on("close", () => {
		waiting = [];
	});
	return { isLate: (request) => late.has(request) };
}
function isHealth({ url = "" }) {
	return /^\/(livez|readyz)(\?|$)/.test(url);
}

// src/http/server.ts
/** The bare server: request ids, JSON bodies, problems for everything that goes wrong, 405 with Allow. */
function createHttpServer(options) {
	const shownHeaders = browserHeaders(options.baseUrl);
	const newRequestId = idSeries("req");
	const app = Fastify({
		routerOptions: { maxParamLength: 16384 },
		loggerInstance: options.logger,
		logController: new LogController({ disableRequestLogging: true }),
		childLoggerFactory: (logger) => logger,
		genReqId: newRequestId,
		trustProxy: options.trustProxy,
		bodyLimit: BODY_BYTES_MAX$2,
		return503OnClosing: false,
		forceCloseConnections: "idle",
		requestTimeout: 6e4,
		ajv: { customOptions: {
			removeAdditional: false,
			coerceTypes: false,
			useDefaults: true,
			allErrors: false
		} },
		clientErrorHandler(error, socket) {
			refuseRaw(error, socket, {
				...options,
				newRequestId
			});
		},
		http: { requireHostHeader: false },
		frameworkErrors(error, request, reply) {
			reply.headers(shownHeaders);
			reply.header("x-request-id", request.id);
			sendProblem(request, reply, error, options);
		}
	});
	const turns = takeTurns(app.server, options.turns);
	app.setSerializerCompiler(() => JSON.stringify);
	app.decorateRequest("rawBody", void 0);
	app.decorateRequest("jsonMarks", 0);
	app.decorateRequest("caller", void 0);
	app.decorateRequest("passedAtMs", 0);
	app.addHook("onRequest", (request, reply, done) => {
		reply.headers(shownHeaders).header("x-request-id", request.id);
		if (options.isLeaving()) reply.header("connection", "close");
		done();
	});
	allowOtherOrigins(app);
	app.addHook("onRequest", (request, _reply, done) => {
		if (turns.isLate(request.raw)) return done(overloaded("The server has more to do than it can."));
		if (!options.isStopping() || isHealth(request)) return done();
		done(new Problem("shutting_down", {
			detail: "This server is shutting down. Nothing was charged; try again, another will answer.",
			headers: { "retry-after": "1" }
		}));
	});
	keepToHttp(app);
	acceptJson(app);
	app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error, options));
	app.setNotFoundHandler((request, reply) => {
		if (options.sendNotFoundPage && wantsPage(request)) return options.sendNotFoundPage(reply);
		return sendProblem(request, reply, new Problem("not_found", { detail: "There is nothing at this path." }), options);
	});
	app.get("/problems/:code", { schema: { hide: true } }, (request, reply) => {
		const { code } = request.params;
		if (!Object.hasOwn(PROBLEMS, code)) throw new Problem("not_found", { detail: "There is no such problem code." });
		return reply.type("text/html; charset=utf-8").send(problemPage(code));
	});
	return app;
}
/** Browsers ask for text/html by name; under the API's own paths even they get a problem. */
function wantsPage({ method, url, headers }) {
	if (method !== "GET" || /^\/(v1|api|oauth|\.well-known|assets)(\/|$)/.test(url)) return false;
	return headers.accept?.includes("text/html") ?? false;
}
function acceptJson(app) {
	/** Those counted on their way to the parser. */
	const counted = /* @__PURE__ */ new WeakSet();
	app.removeAllContentTypeParsers();
	app.addHook("preParsing", (request, _reply, payload, done) => {
		const bounds = request.routeOptions.config.jsonBounds;
		const type = (request.headers["content-type"] ?? "").trim();
		if (!bounds || !/^application\/json\s*(;|$)/i.test(type)) return done(null, payload);
		counted.add(request.raw);
		done(null, boundedJson(payload, bounds, request.routeOptions.bodyLimit, (marks) => {
			request.jsonMarks = marks;
		}));
	});
	app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
		const bytes = body;
		request.rawBody = bytes;
		const { jsonBounds: bounds = ORDINARY_JSON, jsonUnparsed } = request.routeOptions.config;
		if (!counted.has(request.raw)) {
			const { marks, refusal } = countJson(bytes, bounds);
			if (refusal) {
				done(refusal);
				return;
			}
			request.jsonMarks = marks;
		}
		if (jsonUnparsed) {
			done(null, bytes);
			return;
		}
		const json = readJsonText(bytes);
		if (json) done(null, json.value);
		else done(malformedJson());
	});
}
const METHODS = [
	"DELETE",
	"GET",
	"HEAD",
	"OPTIONS",
	"PATCH",
	"POST",
	"PUT",
	"QUERY",
	"TRACE"
];
/** To be called first: answers 405 with `Allow` on every path that exists under another method. */
function refuseOtherMethods(app) {
	const methodsByPath = /* @__PURE__ */ new Map();
	app.addHook("onRoute", (route) => {
		const methods = methodsByPath.get(route.url) ?? /* @__PURE__ */ new Set();
		for (const method of [route.method].flat()) methods.add(method.toUpperCase());
		methodsByPath.set(route.url, methods);
	});
	return { finish() {
		for (const [url, allowed] of [...methodsByPath]) {
			const others = METHODS.filter((method) => !allowed.has(method));
			if (others.length === 0 || url.includes("*")) continue;
			const allow = [...allowed].sort().join(", ");
			app.route({
				method: [...others],
				url,
				schema: { hide: true },
				onRequest: async () => {
					throw new Problem("method_not_allowed", {
						detail: `Use ${allow}.`,
						headers: { allow }
					});
				},
				handler: () => void 0
			});
		}
	} };
}

// src/identity/audit-http.ts
const FIELDS = [
	"id",
	"created_at",
	"actor_kind",
	"actor_id",
	"actor_name",
	"action",
	"target_id",
	"detail",
	"ip",
	"request_id"
];
const AuditSchema = build_default.Object({
	id: build_default.String(),
	created_at: Time$1("When."),
	actor: build_default.Object({
		kind: oneOf(ACTOR_KINDS),
		id: build_default.String(),
		name: TextOrNull("As it was called at the time.")
	}, { description: "Who." }),
	action: oneOf(AUDIT_ACTION_NAMES, { description: "What." }),
	target_id: TextOrNull("To which thing."),
	detail: build_default.Object({}, {
		additionalProperties: true,
		description: "What changed; never a secret."
	}),
	ip: TextOrNull("From where."),
	request_id: TextOrNull()
});
const sample$5 = {
	id: "aud_8kLmNoPqRsTuVwXyZ012",
	created_at: "2026-03-02T10:15:30.000Z",
	actor: {
		kind: "person",
		id: "usr_7Jk2mNpQrStUvWxYz012",
		name: "Jane Doe"
	},
	action: "key.create",
	target_id: "key_9aBcDeFgHiJkLmNoPqRs",
	detail: {
		name: "accounts payable",
		scopes: ["risk:payment", "risk:bulk"]
	},
	ip: "203.0.113.7",
	request_id: "req_Xk29fPq0LmZt0000001"
};
function auditOperations(deps) {
	return [operation({
		method: "GET",
		path: "/v1/organisation/audit",
		id: "listAudit",
		tag: "Organisation",
		summary: "List who changed what, newest first",
		description: "With `Accept: text/csv` as CSV.",
		scope: "organisation:read",
		query: build_default.Object({
			action: build_default.Optional(oneOf([...AUDIT_FAMILIES, ...AUDIT_ACTION_NAMES], { description: "One action, or with a dot at the end all on one sort of thing: `key.`" })),
			actor: build_default.Optional(build_default.String({
				pattern: "^[\\w.:-]{1,100}$",
				description: `Id of a person, key or application, or a kind of actor: ${ACTOR_KINDS.join(", ")}.`,
				examples: ["usr_7Jk2mNpQrStUvWxYz012", "operator"]
			})),
			from: Moment$1("Entries of this time or later."),
			to: Moment$1("Entries before this time."),
			limit: LogLimit,
			cursor: Cursor
		}, { additionalProperties: false }),
		answers: { 200: withForms(pageResponse("A page of entries.", AuditSchema, sample$5), { "text/csv": `${FIELDS.join(",")}\r\n` }) },
		async handle(context) {
			const { organisationId } = context.caller;
			const { action, actor, from, to, limit } = context.query;
			const asCsv = preferredType(context.request, ["application/json", "text/csv"]) === "text/csv";
			const limitDefault = logLimit(limit, asCsv);
			const filter = {
				action,
				actor,
				sinceMs: momentOf("from", from),
				beforeMs: momentOf("to", to)
			};
			const page = await answerPage(context, deps, {
				list: [
					"audit",
					action,
					actor,
					from,
					to
				],
				limitDefault,
				read: (position, rows) => readAudit(deps.sql, {
					organisationId,
					...filter,
					from: position,
					limit: rows
				}),
				view: (entry) => entry
			});
			context.reply.header("vary", "accept");
			if (!asCsv) return {
				...page,
				data: page.data.map(view$4)
			};
			return sendCsv(context.reply, `audit-${organisationId}.csv`, toCsv(FIELDS, page.data.map(csvRow)));
		}
	})];
}
function view$4(entry) {
	return {
		id: entry.id,
		created_at: iso(entry.created_at),
		actor: {
			kind: entry.actor_kind,
			id: entry.actor_id,
			name: entry.actor_name
		},
		action: entry.action,
		target_id: entry.target_id,
		detail: entry.detail,
		ip: entry.ip,
		request_id: entry.request_id
	};
}
function csvRow(entry) {
	const shown = {
		...entry,
		created_at: iso(entry.created_at),
		detail: JSON.stringify(entry.detail)
	};
	return FIELDS.map((field) => shown[field]);
}

// src/identity/clients/http.ts
const ClientSchema = build_default.Object({
	id: build_default.String(),
	kind: oneOf(CLIENT_KIND_NAMES),
	name: build_default.String(),
	scopes: build_default.Array(build_default.String()),
	redirect_uris: build_default.Array(build_default.String()),
	logout_uris: build_default.Array(build_default.String()),
	authentication: oneOf(CLIENT_AUTHENTICATIONS),
	state: oneOf(CLIENT_STATES),
	created_at: Time$1("When it was registered."),
	updated_at: Time$1("When it was last changed.")
});
const sample$4 = {
	id: "cli_6gHiJkLmNoPqRsTuVwXy",
	kind: "service",
	name: "Nightly supplier check",
	scopes: ["risk:supply-chain", "risk:bulk"],
	redirect_uris: [],
	logout_uris: [],
	authentication: "client_secret",
	state: "active",
	created_at: "2026-01-05T09:00:00.000Z",
	updated_at: "2026-01-05T09:00:00.000Z"
};
const withSecret = jsonResponse("The application.", build_default.Object({
	...ClientSchema.properties,
	client_secret: TextOrNull("Shown this once; null for those without one.")
}), {
	...sample$4,
	client_secret: "acs_<shown once>"
}, REPLAYED_HEADER);
const Uris = build_default.Array(build_default.String({ maxLength: 1e3 }), { maxItems: 20 });
const Scopes$1 = build_default.Array(build_default.String({ maxLength: 64 }), {
	minItems: 1,
	maxItems: 20
});
const ClientName = Name("As people see it when they consent.");
const oneClient = { client_id: "Id of the application." };
const making$1 = {
	tag: "Organisation",
	scope: "organisation:write",
	roles: KEY_MAKERS
};
const reading$2 = {
	tag: "Organisation",
	scope: "organisation:read"
};
function clientOperations(deps) {
	const { sql, baseUrl, onClientChanged } = deps;
	const rules = { production: baseUrl.startsWith("https:") };
	const after = ({ params }) => onClientChanged(params.client_id);
	return [
		list(deps, {
			tag: "Organisation",
			scope: "organisation:read",
			path: "/v1/organisation/clients",
			id: "listClients",
			summary: "List the applications",
			about: "A page of applications, oldest first.",
			schema: ClientSchema,
			sample: sample$4,
			read: (organisationId, page) => listClients(sql, organisationId, page),
			view: view$3
		}),
		operation({
			...reading$2,
			method: "GET",
			path: "/v1/organisation/clients/{client_id}",
			id: "readClient",
			summary: "Read one application",
			params: oneClient,
			answers: { 200: jsonResponse("The application, without its secret.", ClientSchema, sample$4, ETAG_HEADER) },
			async handle({ params, caller, reply }) {
				const client = await requireClient(sql, {
					id: params.client_id,
					organisation_id: caller.organisationId
				});
				reply.header("etag", clientEtag(client));
				return view$3(client);
			}
		}),
		change({
			...making$1,
			method: "POST",
			path: "/v1/organisation/clients",
			id: "createClient",
			summary: "Register an application",
			description: "A secret is shown this once. Nobody can register an application for a scope of keys that they lack themselves.",
			body: build_default.Object({
				kind: oneOf(CLIENT_KIND_NAMES),
				name: ClientName,
				scopes: Scopes$1,
				redirect_uris: build_default.Optional(Uris),
				logout_uris: build_default.Optional(Uris),
				jwks: build_default.Optional(build_default.Object({ keys: build_default.Array(build_default.Object({}, { additionalProperties: true }), {
					minItems: 1,
					maxItems: 10
				}) }, {
					additionalProperties: false,
					description: "Public keys: it authenticates by its own key instead of a secret."
				}))
			}, {
				additionalProperties: false,
				examples: [{
					kind: "service",
					name: "Nightly supplier check",
					scopes: ["risk:supply-chain", "risk:bulk"]
				}]
			}),
			answers: { 201: withSecret },
			problems: ["forbidden", "conflict"],
			async handle(tx, { actor, body: { redirect_uris, logout_uris, ...body } }) {
				const request = {
					...body,
					redirectUris: redirect_uris,
					logoutUris: logout_uris
				};
				const { client, secret } = await createClient(tx, actor, request, rules);
				return {
					status: 201,
					body: {
						...view$3(client),
						client_secret: secret
					}
				};
			}
		}),
		change({
			...making$1,
			edit: true,
			method: "PATCH",
			path: "/v1/organisation/clients/{client_id}",
			id: "editClient",
			summary: "Change an application, or disable it",
			description: "Needs every scope of keys that the application has, and every one that it gets.",
			params: oneClient,
			body: build_default.Object({
				name: build_default.Optional(ClientName),
				scopes: build_default.Optional(Scopes$1),
				redirect_uris: build_default.Optional(Uris),
				logout_uris: build_default.Optional(Uris),
				state: build_default.Optional(oneOf(CLIENT_STATES))
			}, {
				additionalProperties: false,
				minProperties: 1,
				examples: [{ state: "disabled" }]
			}),
			answers: { 200: jsonResponse("As it is now.", ClientSchema, sample$4, {
				...ETAG_HEADER,
				...REPLAYED_HEADER
			}) },
			problems: ["forbidden"],
			async handle(tx, { actor, params, body: { redirect_uris, logout_uris, ...body }, requireMatch }) {
				const wanted = {
					...body,
					redirectUris: redirect_uris,
					logoutUris: logout_uris
				};
				const client = await changeClient(tx, actor, params.client_id, wanted, rules, (before) => requireMatch(clientEtag(before)));
				return {
					status: 200,
					body: view$3(client),
					headers: { etag: clientEtag(client) }
				};
			},
			after
		}),
		change({
			...making$1,
			method: "POST",
			path: "/v1/organisation/clients/{client_id}/rotate-secret",
			id: "rotateClientSecret",
			summary: "Give an application a new secret",
			description: "The old one stops at once; the new one is shown this once. Needs every scope of keys that the application has.",
			params: oneClient,
			answers: { 201: withSecret },
			problems: ["forbidden", "conflict"],
			async handle(tx, { actor, params }) {
				const { client, secret } = await rotateClientSecret(tx, actor, params.client_id);
				return {
					status: 201,
					body: {
						...view$3(client),
						client_secret: secret
					}
				};
			},
			after
		}),
		change({
			...making$1,
			method: "DELETE",
			path: "/v1/organisation/clients/{client_id}",
			id: "deleteClient",
			summary: "Delete an application and all its tokens",
			description: "Needs every scope of keys that the application has.",
			params: oneClient,
			answers: { 204: noContent("Deleted.") },
			async handle(tx, { actor, params }) {
				await deleteClient(tx, actor, params.client_id);
				return { status: 204 };
			},
			after
		})
	];
}
function clientEtag(client) {
	return etagOf([client.id, editable(client)]);
}
function view$3(client) {
	return {
		id: client.id,
		kind: client.kind,
		...editable(client),
		authentication: authenticationOf(client),
		created_at: iso(client.created_at),
		updated_at: iso(client.updated_at)
	};
}

// src/identity/members/http.ts
const RoleSchema = oneOf(ROLE_NAMES, { description: `${ROLE_NAMES.map((role) => `${role}: ${ROLES[role].about.toLowerCase()}`).join("; ")}.` });
const MemberSchema = build_default.Object({
	id: build_default.String(),
	name: build_default.String(),
	email: build_default.String(),
	role: RoleSchema,
	state: oneOf(["active", "disabled"]),
	joined_at: Time$1("When they joined.")
});
const sample$3 = {
	id: "usr_7Jk2mNpQrStUvWxYz012",
	name: "Jane Doe",
	email: "jane@company.example",
	role: "developer",
	state: "active",
	joined_at: "2026-01-05T09:00:00.000Z"
};
const oneMember = { member_id: "Id of the person." };
const reading$1 = {
	tag: "Organisation",
	scope: "organisation:read"
};
const writing = {
	tag: "Organisation",
	scope: "organisation:write"
};
function memberOperations(deps) {
	const { sql, onPeopleChanged: after } = deps;
	return [
		list(deps, {
			tag: "Organisation",
			scope: "organisation:read",
			path: "/v1/organisation/members",
			id: "listMembers",
			summary: "List the members",
			about: "A page of members, in the order they joined.",
			schema: MemberSchema,
			sample: sample$3,
			read: (organisationId, page) => listMembers(sql, organisationId, page),
			view: view$2
		}),
		operation({
			...reading$1,
			method: "GET",
			path: "/v1/organisation/members/{member_id}",
			id: "readMember",
			summary: "Read one member",
			params: oneMember,
			answers: { 200: jsonResponse("The member.", MemberSchema, sample$3, ETAG_HEADER) },
			async handle({ params, caller, reply }) {
				const member = await requireMember(sql, caller.organisationId, params.member_id);
				reply.header("etag", memberEtag(member));
				return view$2(member);
			}
		}),
		change({
			...writing,
			edit: true,
			method: "PATCH",
			path: "/v1/organisation/members/{member_id}",
			id: "editMember",
			summary: "Give a member another role",
			description: "Needs every scope of the old and of the new role. Owners are made and unmade by owners who are signed in; the last owner stays one (409).",
			params: oneMember,
			body: build_default.Object({ role: RoleSchema }, {
				additionalProperties: false,
				examples: [{ role: "admin" }]
			}),
			answers: { 200: jsonResponse("As it is now.", MemberSchema, sample$3, {
				...ETAG_HEADER,
				...REPLAYED_HEADER
			}) },
			problems: ["forbidden", "conflict"],
			async handle(tx, { actor, params, body, requireMatch }) {
				const member = await changeRole(tx, actor, {
					personId: params.member_id,
					role: body.role
				}, (before) => requireMatch(memberEtag(before)));
				return {
					status: 200,
					body: view$2(member),
					headers: { etag: memberEtag(member) }
				};
			},
			after
		}),
		change({
			...writing,
			roles: ROLE_NAMES,
			method: "DELETE",
			path: "/v1/organisation/members/{member_id}",
			id: "removeMember",
			summary: "Remove a member, or leave",
			description: "Anybody signed in may remove themselves; removing another needs every scope of their role. The last owner cannot leave (409). What applications were allowed to do for the member in this organisation ends.",
			params: oneMember,
			answers: { 204: noContent("Removed.") },
			problems: ["forbidden", "conflict"],
			async handle(tx, { actor, params }) {
				await removeMember(tx, actor, params.member_id);
				return { status: 204 };
			},
			after
		})
	];
}
function memberEtag(member) {
	return etagOf([member.id, member.role]);
}
function view$2({ id, name, email, role, state, created_at }) {
	return {
		id,
		name,
		email,
		role,
		state,
		joined_at: iso(created_at)
	};
}

// src/identity/invitations/invitations.ts
/**
* Invitations: a link that makes whoever opens it a member, once.
*
*  1. Whoever makes one has every right of the role it leads to.
*  2. It is worth something only while they could still make it: not after they lost that role, left, were disabled,
*     or their key or application ended.
*/
const invitations = defineTable({
	name: "invitation",
	key: ["id"],
	fixed: [
		"organisation_id",
		"role",
		"email",
		"made_by_kind",
		"made_by",
		"created_at",
		"expires_at"
	],
	columns: {
		id: text(),
		organisation_id: text(),
		role: text(),
		email: orNull(text()),
		made_by_kind: text(),
		made_by: text(),
		created_at: integer(),
		expires_at: integer(),
		accepted_at: orNull(integer()),
		accepted_by: orNull(text()),
		revoked_at: orNull(integer())
	}
});
const INVITATION_STATES = [
	"open",
	"accepted",
	"expired",
	"revoked"
];
const INVITATIONS_OPEN_MAX = 100;
const INVITATION_DAYS_MAX = 30;
const INVITATION_DAYS_DEFAULT = 7;
/** Makes an invitation; `secret` goes into the link and is seen this once. */
async function createInvitation(tx, actor, input) {
	const { organisationId } = actor;
	const { role, email, days = 7 } = input;
	if (!Number.isInteger(days) || days < 1 || days > 30) throw invalidField("/expires_in_days", `An invitation is open for 1 to ${30} days.`);
	await lockOrganisation(tx, organisationId);
	requireWriter(actor);
	requireRole(actor, role);
	if (await invitations.count(tx, {
		organisation_id: organisationId,
		accepted_at: null,
		revoked_at: null
	}, ` and expires_at > ${tx.nowMs}`) >= 100) throw new Problem("conflict", { detail: `There are ${100} open invitations. Withdraw some first.` });
	const secret = randomBase62(32);
	const invitation = await invitations.insert(tx, {
		id: newId("inv"),
		organisation_id: organisationId,
		role,
		email: email === void 0 ? null : checkedEmail(email),
		made_by_kind: actor.kind,
		made_by: actor.id,
		created_at: tx.nowMs,
		expires_at: tx.nowMs + days * DAY_MS,
		accepted_at: null,
		accepted_by: null,
		revoked_at: null
	}, { digest: sha256Hex(secret) });
	await audit(tx, actor, "invitation.create", invitation.id, { role });
	return {
		invitation,
		secret
	};
}
/** Withdraws an invitation that nobody used; 404 when there is none of that id. */
async function revokeInvitation(tx, actor, id) {
	await lockOrganisation(tx, actor.organisationId);
	requireWriter(actor);
	const unused = {
		id,
		organisation_id: actor.organisationId,
		accepted_at: null,
		revoked_at: null
	};
	const invitation = await invitations.find(tx, unused);
	if (!invitation) throw new Problem("not_found", { detail: "There is no such open invitation." });
	requireRole(actor, invitation.role);
	await invitations.update(tx, {
		...invitation,
		revoked_at: tx.nowMs
	});
	await audit(tx, actor, "invitation.revoke", id, { role: invitation.role });
}
/** Oldest first, each with its state. */
async function listInvitations(sql, organisationId, nowMs, page) {
	const { rows, next } = await invitations.page(sql, { organisation_id: organisationId }, page);
	const stated = [];
	for (const invitation of rows) stated.push({
		...invitation,
		state: await invitationState(sql, invitation, nowMs)
	});
	return {
		rows: stated,
		next
	};
}
async function invitationState(sql, invitation, nowMs) {
	if (invitation.accepted_at !== null) return "accepted";
	if (invitation.revoked_at !== null) return "revoked";
	if (invitation.expires_at <= nowMs) return "expired";
	return await mayStillBeMade(sql, invitation, nowMs) ? "open" : "revoked";
}
/** Rule 2. */
async function mayStillBeMade(sql, invitation, nowMs) {
	const maker = await makerNow(sql, invitation, nowMs);
	return maker !== void 0 && mayInvite(maker, invitation.role);
}
/** Whoever made it, with the rights they have now; undefined when they have none. */
async function makerNow(sql, { organisation_id: organisationId, made_by_kind: kind, made_by: id }, nowMs) {
	if (kind === "person") {
		const member = await findMember(sql, organisationId, id);
		if (member?.state !== "active") return void 0;
		return {
			kind,
			scopes: new Set(ROLES[member.role].scopes),
			role: member.role
		};
	}
	if (kind === "api_key") {
		const key = await findKey(sql, {
			id,
			organisation_id: organisationId
		});
		return key && keyState(key, nowMs) === "active" ? {
			kind,
			scopes: new Set(key.scopes),
			role: void 0
		} : void 0;
	}
	if (kind === "application") {
		const client = await findClient(sql, {
			id,
			organisation_id: organisationId
		});
		return client?.state === "active" ? {
			kind,
			scopes: new Set(client.scopes),
			role: void 0
		} : void 0;
	}
	return {
		kind,
		scopes: /* @__PURE__ */ new Set(),
		role: void 0
	};
}
/** The open invitation behind a link; 404 for an unknown or withdrawn one, 409 for one that has ended otherwise. */
async function findOpenInvitation(sql, secret, nowMs) {
	const [row] = await sql.query(`select ${invitations.columns()} from invitation where digest = $1`, [sha256Hex(secret)]);
	const invitation = row && invitations.fromRow(row);
	const withdrawn = invitation?.revoked_at != null && await mayStillBeMade(sql, invitation, nowMs);
	if (!invitation || withdrawn) throw new Problem("not_found", { detail: "There is no such invitation." });
	const ended = {
		open: void 0,
		accepted: "was used already",
		expired: "has expired",
		revoked: "has ended with the rights of whoever made it"
	}[await invitationState(sql, invitation, nowMs)];
	if (ended) throw new Problem("conflict", { detail: `This invitation ${ended}. Ask for another.` });
	const organisation = await requireOrganisation(sql, invitation.organisation_id);
	if (organisation.state === "disabled") throw new Problem("conflict", { detail: "The organisation is disabled, so nobody can join it. Ask its operator." });
	return {
		...invitation,
		organisation_name: organisation.name
	};
}
/** Makes the person whom `who` returns a member; it is asked under lock, once the invitation is known to be open. */
async function acceptInvitation(tx, secret, who, from) {
	const { organisation_id: organisationId } = await findOpenInvitation(tx, secret, tx.nowMs);
	await lockOrganisation(tx, organisationId);
	const invitation = await findOpenInvitation(tx, secret, tx.nowMs);
	const person = await who();
	if (invitation.email !== null && invitation.email !== normaliseSignInEmail(person.email)) throw new Problem("forbidden", { detail: "This invitation is for another email address." });
	await invitations.update(tx, {
		...invitation,
		accepted_at: tx.nowMs,
		accepted_by: person.id
	});
	await admit(tx, newcomerIn(organisationId, {
		id: person.id,
		...from
	}), {
		personId: person.id,
		role: invitation.role
	}, { invitation_id: invitation.id });
	return invitation;
}

// src/identity/invitations/http.ts
const PER_ADDRESS$1 = {
	attemptsMax: 60,
	windowMs: 15 * MINUTE_MS
};
const InvitationSchema = build_default.Object({
	id: build_default.String(),
	role: RoleSchema,
	email: TextOrNull("Only this address may accept; null: whoever holds the link."),
	state: oneOf(INVITATION_STATES, { description: "revoked: withdrawn, or whoever made it could no longer make it." }),
	created_at: Time$1("When it was made."),
	expires_at: Time$1("When it ends."),
	accepted_at: TimeOrNull("When it was used."),
	accepted_by: TextOrNull()
});
const sample$2 = {
	id: "inv_3dEfGhIjKlMnOpQrStUv",
	role: "developer",
	email: null,
	state: "open",
	created_at: "2026-03-01T09:00:00.000Z",
	expires_at: "2026-03-08T09:00:00.000Z",
	accepted_at: null,
	accepted_by: null
};
const sampleToken = "1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv";
const Email = build_default.String({
	minLength: 3,
	maxLength: 254
});
const Token = build_default.String({
	minLength: 1,
	maxLength: 100,
	description: "What stands after # in the link."
});
const PUBLIC_PROBLEMS = [
	"malformed_json",
	"not_found",
	"conflict",
	"body_too_large",
	"unsupported_media_type",
	"validation_failed",
	"rate_limited",
	"internal",
	"store_unavailable",
	"overloaded",
	"shutting_down"
];
const AcceptBody = build_default.Object({
	token: Token,
	email: build_default.Optional(Email),
	name: build_default.Optional(Name("The name of the person.")),
	password: build_default.Optional(build_default.String({
		minLength: 12,
		maxLength: 256
	}))
}, {
	additionalProperties: false,
	examples: [{
		token: sampleToken,
		email: "jane@company.example",
		name: "Jane Doe",
		password: "a long pass phrase"
	}]
});
function invitationOperations(deps) {
	const { sql, clock, baseUrl } = deps;
	async function refuseGuessing(request) {
		const { waitMs } = await takeAttemptFrom(sql, "invitation", request.ip, PER_ADDRESS$1, clock.now());
		refuseWait(waitMs, "There were too many attempts from this address.");
	}
	return [
		list(deps, {
			tag: "Organisation",
			scope: "organisation:read",
			path: "/v1/organisation/invitations",
			id: "listInvitations",
			summary: "List the invitations",
			about: "A page of invitations, oldest first.",
			schema: InvitationSchema,
			sample: sample$2,
			read: (organisationId, page) => listInvitations(sql, organisationId, clock.now(), page),
			view: (invitation) => view$1(invitation, invitation.state)
		}),
		change({
			method: "POST",
			path: "/v1/organisation/invitations",
			id: "createInvitation",
			tag: "Organisation",
			summary: "Invite somebody by a link",
			description: "The link is shown this once and works once, while whoever made it could still make it. Needs every scope of the role.",
			scope: "organisation:write",
			body: build_default.Object({
				role: RoleSchema,
				email: build_default.Optional(Email),
				expires_in_days: build_default.Optional(build_default.Integer({
					minimum: 1,
					maximum: 30,
					description: `Default ${7}.`
				}))
			}, {
				additionalProperties: false,
				examples: [{ role: "developer" }]
			}),
			answers: { 201: jsonResponse("The invitation and its link.", build_default.Object({
				...InvitationSchema.properties,
				link: build_default.String({ description: "Shown this once." })
			}), {
				...sample$2,
				link: `http://localhost:8080/invitation#${sampleToken}`
			}, REPLAYED_HEADER) },
			problems: ["forbidden", "conflict"],
			async handle(tx, { actor, body: { role, email, expires_in_days: days } }) {
				const { invitation, secret } = await createInvitation(tx, actor, {
					role,
					email,
					days
				});
				return {
					status: 201,
					body: {
						...view$1(invitation, "open"),
						link: `${baseUrl}/invitation#${secret}`
					}
				};
			}
		}),
		change({
			method: "DELETE",
			path: "/v1/organisation/invitations/{invitation_id}",
			id: "revokeInvitation",
			tag: "Organisation",
			summary: "Withdraw an invitation",
			description: "Needs every scope of its role.",
			scope: "organisation:write",
			params: { invitation_id: "Id of the invitation." },
			answers: { 204: noContent("Withdrawn.") },
			async handle(tx, { actor, params }) {
				await revokeInvitation(tx, actor, params.invitation_id);
				return { status: 204 };
			}
		}),
		operation({
			method: "POST",
			path: "/v1/invitations/lookup",
			id: "lookUpInvitation",
			tag: "Organisation",
			summary: "See what an invitation is for",
			description: "Public: the secret of the link is the credential.",
			scope: "public",
			body: build_default.Object({ token: Token }, {
				additionalProperties: false,
				examples: [{ token: sampleToken }]
			}),
			answers: { 200: jsonResponse("The organisation and role it leads to.", build_default.Object({
				organisation_name: build_default.String(),
				role: RoleSchema,
				email_bound: build_default.Boolean(),
				expires_at: Time$1("When it ends.")
			}), {
				organisation_name: "Example Ltd",
				role: "developer",
				email_bound: false,
				expires_at: "2026-03-08T09:00:00.000Z"
			}) },
			problems: PUBLIC_PROBLEMS,
			async handle({ body, request, reply }) {
				await refuseGuessing(request);
				const found = await findOpenInvitation(sql, body.token, clock.now());
				reply.header("cache-control", "no-store");
				return {
					organisation_name: found.organisation_name,
					role: found.role,
					email_bound: found.email !== null,
					expires_at: iso(found.expires_at)
				};
			}
		}),
		operation({
			method: "POST",
			path: "/v1/invitations/accept",
			id: "acceptInvitation",
			tag: "Organisation",
			summary: "Accept an invitation",
			description: "Public: the secret of the link is the credential. Somebody signed in joins as they are; anybody else gives email, name and a password and becomes a new user.",
			scope: "public",
			body: AcceptBody,
			answers: { 200: jsonResponse("Joined.", build_default.Object({
				organisation: build_default.Object({
					id: build_default.String(),
					name: build_default.String()
				}),
				role: RoleSchema
			}), {
				organisation: {
					id: "org_0Fv3kQ2mXb7TzR1yLw9c",
					name: "Example Ltd"
				},
				role: "developer"
			}) },
			problems: [...PUBLIC_PROBLEMS, "forbidden"],
			async handle({ body, request, reply }) {
				await refuseGuessing(request);
				await findOpenInvitation(sql, body.token, clock.now());
				const signedIn = body.password === void 0 && request.headers.cookie?.includes("assay_session=") ? await deps.requireSession?.(request) : void 0;
				const newcomer = signedIn ? void 0 : await readNewcomer(body);
				const joined = await changeIn(sql, clock, (tx) => acceptInvitation(tx, body.token, async () => signedIn?.person ?? createPerson(tx, {
					...newcomer,
					emailVerified: false
				}), {
					ip: request.ip,
					requestId: request.id
				}));
				await deps.onPeopleChanged();
				reply.header("cache-control", "no-store");
				return {
					organisation: {
						id: joined.organisation_id,
						name: joined.organisation_name
					},
					role: joined.role
				};
			}
		})
	];
}
async function readNewcomer({ email, name, password }) {
	for (const [field, value] of Object.entries({
		email,
		name,
		password
	})) if (value === void 0) throw invalidField(`/${field}`, `Sign in first, or give email, name and password: ${field} is missing.`);
	return {
		email: checkedEmail(email),
		name: checkedName(name),
		passwordHash: await hashPassword(password)
	};
}
function view$1(invitation, state) {
	const { id, role, email, accepted_by } = invitation;
	return {
		id,
		role,
		email,
		state,
		created_at: iso(invitation.created_at),
		expires_at: iso(invitation.expires_at),
		accepted_at: isoOrNull(invitation.accepted_at),
		accepted_by
	};
}

// src/identity/keys/http.ts
const KeySchema = build_default.Object({
	id: build_default.String(),
	name: build_default.String(),
	hint: build_default.String({ description: "The first characters, to recognise it by." }),
	scopes: build_default.Array(oneOf(KEY_SCOPE_NAMES)),
	state: oneOf([
		"active",
		"expired",
		"revoked"
	]),
	created_at: Time$1("When it was made."),
	expires_at: TimeOrNull("When it ends by itself."),
	last_used_at: TimeOrNull("When it was last used, to within a minute."),
	revoked_at: TimeOrNull("When it was ended.")
});
const sample$1 = {
	id: "key_9aBcDeFgHiJkLmNoPqRs",
	name: "accounts payable",
	hint: "ask_4Fz1",
	scopes: ["risk:payment", "risk:bulk"],
	state: "active",
	created_at: "2026-01-05T09:00:00.000Z",
	expires_at: null,
	last_used_at: "2026-03-02T10:15:30.000Z",
	revoked_at: null
};
const KeyWithSecret = build_default.Object({
	...KeySchema.properties,
	api_key: build_default.String({ description: "Shown this once." })
});
const sampleWithSecret = {
	...sample$1,
	api_key: "ask_<32 characters and a checksum, shown once>"
};
const Scopes = build_default.Array(oneOf(KEY_SCOPE_NAMES), {
	minItems: 1,
	maxItems: 20,
	description: "Default: the four risk scopes, as far as you have them."
});
const Expiry = build_default.Union([build_default.String({ format: "date-time" }), build_default.Null()], { description: "When it ends by itself; null: never." });
const oneKey = { key_id: "Id of the key." };
const making = {
	tag: "Organisation",
	scope: "organisation:write",
	roles: KEY_MAKERS
};
const reading = {
	tag: "Organisation",
	scope: "organisation:read"
};
function keyOperations(deps) {
	const { sql, clock, onKeysChanged: after } = deps;
	const view = (key, nowMs = clock.now()) => ({
		id: key.id,
		name: key.name,
		hint: key.hint,
		scopes: key.scopes,
		state: keyState(key, nowMs),
		created_at: iso(key.created_at),
		expires_at: isoOrNull(key.expires_at),
		last_used_at: isoOrNull(key.last_used_at),
		revoked_at: isoOrNull(key.revoked_at)
	});
	return [
		list(deps, {
			tag: "Organisation",
			scope: "organisation:read",
			path: "/v1/organisation/keys",
			id: "listKeys",
			summary: "List the API keys",
			about: "A page of keys, oldest first, ended ones included.",
			schema: KeySchema,
			sample: sample$1,
			read: (organisationId, page) => listKeys(sql, organisationId, page),
			view
		}),
		operation({
			...reading,
			method: "GET",
			path: "/v1/organisation/keys/{key_id}",
			id: "readKey",
			summary: "Read one API key",
			params: oneKey,
			answers: { 200: jsonResponse("The key, without its secret.", KeySchema, sample$1, ETAG_HEADER) },
			async handle({ params, caller, reply }) {
				const key = await requireKey(sql, {
					id: params.key_id,
					organisation_id: caller.organisationId
				});
				reply.header("etag", keyEtag(key));
				return view(key);
			}
		}),
		change({
			...making,
			method: "POST",
			path: "/v1/organisation/keys",
			id: "createKey",
			summary: "Make an API key",
			description: "The key is shown this once. Nobody can give a key a scope that they lack themselves.",
			body: build_default.Object({
				name: Name("What it is for."),
				scopes: build_default.Optional(Scopes),
				expires_at: build_default.Optional(Expiry)
			}, {
				additionalProperties: false,
				examples: [{
					name: "accounts payable",
					scopes: ["risk:payment", "risk:bulk"]
				}]
			}),
			answers: { 201: jsonResponse("The key.", KeyWithSecret, sampleWithSecret, REPLAYED_HEADER) },
			problems: ["forbidden", "conflict"],
			async handle(tx, { actor, body: { name, scopes, expires_at } }) {
				const made = await createKey(tx, actor, {
					name,
					scopes,
					expiresAtMs: timeOf(expires_at) ?? null
				});
				return {
					status: 201,
					body: {
						...view(made.key, tx.nowMs),
						api_key: made.secret
					}
				};
			},
			after
		}),
		change({
			...making,
			edit: true,
			method: "PATCH",
			path: "/v1/organisation/keys/{key_id}",
			id: "editKey",
			summary: "Rename an API key, restrict it, or set its end",
			description: "Needs every scope that the key has, and every scope that it gets.",
			params: oneKey,
			body: build_default.Object({
				name: build_default.Optional(Name("What it is for.")),
				scopes: build_default.Optional(Scopes),
				expires_at: build_default.Optional(Expiry)
			}, {
				additionalProperties: false,
				minProperties: 1,
				examples: [{ scopes: ["risk:payment"] }]
			}),
			answers: { 200: jsonResponse("As it is now.", KeySchema, sample$1, {
				...ETAG_HEADER,
				...REPLAYED_HEADER
			}) },
			problems: ["forbidden", "conflict"],
			async handle(tx, { actor, params, body: { expires_at, ...wanted }, requireMatch }) {
				const key = await changeKey(tx, actor, params.key_id, {
					...wanted,
					expiresAtMs: timeOf(expires_at)
				}, (before) => requireMatch(keyEtag(before)));
				return {
					status: 200,
					body: view(key, tx.nowMs),
					headers: { etag: keyEtag(key) }
				};
			},
			after
		}),
		change({
			...making,
			method: "POST",
			path: "/v1/organisation/keys/{key_id}/rotate",
			id: "rotateKey",
			summary: "Replace an API key",
			description: "The new key is shown this once; during the grace period both work. Needs every scope of the key.",
			params: oneKey,
			body: build_default.Object({ grace_hours: build_default.Optional(build_default.Integer({
				minimum: 0,
				maximum: GRACE_HOURS_MAX,
				description: `How long the old one goes on working; default ${24}.`
			})) }, {
				additionalProperties: false,
				examples: [{ grace_hours: 24 }]
			}),
			answers: { 201: jsonResponse("The new key, and the old one with its end.", build_default.Object({
				...KeyWithSecret.properties,
				replaces: KeySchema
			}), {
				...sampleWithSecret,
				replaces: {
					...sample$1,
					id: "key_2bCdEfGhIjKlMnOpQrSt",
					expires_at: "2026-03-03T10:15:30.000Z"
				}
			}, REPLAYED_HEADER) },
			problems: ["forbidden", "conflict"],
			async handle(tx, { actor, params, body }) {
				const { key, secret, old } = await rotateKey(tx, actor, params.key_id, body.grace_hours);
				return {
					status: 201,
					body: {
						...view(key, tx.nowMs),
						api_key: secret,
						replaces: view(old, tx.nowMs)
					}
				};
			},
			after
		}),
		change({
			...making,
			method: "DELETE",
			path: "/v1/organisation/keys/{key_id}",
			id: "revokeKey",
			summary: "End an API key at once",
			description: "Needs every scope of the key.",
			params: oneKey,
			answers: { 204: noContent("Ended.") },
			async handle(tx, { actor, params }) {
				await revokeKey(tx, actor, params.key_id);
				return { status: 204 };
			},
			after
		})
	];
}
function timeOf(text) {
	return typeof text === "string" ? Date.parse(text) : text;
}
function keyEtag(key) {
	return etagOf([
		key.id,
		key.name,
		key.scopes,
		key.expires_at,
		key.revoked_at
	]);
}

// src/identity/organisation/http.ts
const OrganisationSchema = build_default.Object({
	id: build_default.String(),
	name: build_default.String(),
	state: oneOf(ORGANISATION_STATES),
	created_at: Time$1("When it was made.")
});
const sample = {
	id: "org_0Fv3kQ2mXb7TzR1yLw9c",
	name: "Example Ltd",
	state: "active",
	created_at: "2026-01-05T09:00:00.000Z"
};
function organisationOperations({ sql }) {
	return [operation({
		method: "GET",
		path: "/v1/organisation",
		id: "readOrganisation",
		tag: "Organisation",
		summary: "Read the organisation",
		scope: "organisation:read",
		orScopes: RISK_SCOPES,
		answers: { 200: jsonResponse("The organisation.", OrganisationSchema, sample, ETAG_HEADER) },
		async handle({ caller, reply }) {
			const organisation = await requireOrganisation(sql, caller.organisationId);
			reply.header("etag", organisationEtag(organisation));
			return view(organisation);
		}
	}), change({
		edit: true,
		method: "PATCH",
		path: "/v1/organisation",
		id: "editOrganisation",
		tag: "Organisation",
		summary: "Rename the organisation",
		scope: "organisation:write",
		body: build_default.Object({ name: Name("Its name, for people.") }, {
			additionalProperties: false,
			examples: [{ name: "Example Group Ltd" }]
		}),
		answers: { 200: jsonResponse("As it is now.", OrganisationSchema, sample, {
			...ETAG_HEADER,
			...REPLAYED_HEADER
		}) },
		async handle(tx, { actor, body, requireMatch }) {
			const renamed = await renameOrganisation(tx, actor, body.name, (before) => requireMatch(organisationEtag(before)));
			return {
				status: 200,
				body: view(renamed),
				headers: { etag: organisationEtag(renamed) }
			};
		}
	})];
}
function organisationEtag({ id, name }) {
	return etagOf([id, name]);
}
function view({ id, name, state, created_at }) {
	return {
		id,
		name,
		state,
		created_at: iso(created_at)
	};
}

// src/identity/http.ts
/** Everything under /v1/organisation and /v1/invitations. */
function registerIdentity(app, deps) {
	registerOperations(app, deps, [
		...organisationOperations(deps),
		...memberOperations(deps),
		...invitationOperations(deps),
		...keyOperations(deps),
		...clientOperations(deps),
		...auditOperations(deps)
	]);
}

// src/identity/people/sign-in.ts
/**
* Signing in with email and password.
*
*  1. Attempts are counted per account and address, and per address; never per account alone, so that nobody can
*     lock another out by guessing at their account from elsewhere.
*  2. A sign-in under way ends with the password it knew: what it opens is asked for again, in one step with that.
*  3. The answer, and the time it takes, are the same for a wrong password, an unknown and a disabled account.
*/
const PER_ACCOUNT_AND_ADDRESS = {
	attemptsMax: 10,
	windowMs: 15 * MINUTE_MS
};
const PER_ADDRESS = {
	attemptsMax: 100,
	windowMs: 15 * MINUTE_MS
};
const signInFailed = () => new Problem("sign_in_failed", { detail: "The email address or the password is wrong." });
function createSignIn({ sql, clock }) {
	return async ({ email, password, ip }) => {
		const byBoth = `sign-in ${addressKey(ip)} ${normaliseSignInEmail(email)}`;
		const nowMs = clock.now();
		const both = await waitFor(sql, byBoth, PER_ACCOUNT_AND_ADDRESS, nowMs);
		const all = both.waitMs > 0 ? both : await takeAttemptFrom(sql, "sign-in", ip, PER_ADDRESS, nowMs);
		const account = all.waitMs > 0 ? all : await takeAttempt(sql, byBoth, PER_ACCOUNT_AND_ADDRESS, nowMs);
		refuseWait(account.waitMs, "There were too many attempts to sign in from this address.");
		const found = email.includes("\0") ? void 0 : await findPersonByEmail(sql, email);
		const right = await verifyPassword(password.slice(0, 256 + 1), found?.passwordHash);
		if (!found || !right || found.person.state !== "active") throw signInFailed();
		await Promise.all([forgetAttempts(sql, byBoth), returnAttemptFrom(sql, "sign-in", ip)]);
		return found;
	};
}

// src/oauth/purge.ts
/** Deletes what ended long enough ago. Safe to run on several nodes. */
async function purgeExpired(sql, nowMs) {
	let deleted = await purgeRecords(sql, nowMs);
	deleted += await deleteInSteps(sql, `delete from console_session where digest in
       (select digest from console_session where expires_at <= $1 order by expires_at limit ${PURGE_BATCH})
     returning 1 as one`, nowMs);
	deleted += await purgeAttempts(sql, nowMs);
	return { deleted };
}
function purgeRecords(sql, nowMs) {
	return deleteInSteps(sql, `delete from oauth_record where (digest, kind) in
       (select digest, kind from oauth_record where purge_at <= $1 order by purge_at limit ${PURGE_BATCH})
     returning 1 as one`, nowMs);
}

// src/oauth/beginnings.ts
const BEGINNINGS_BOUNDS = {
	addressRowsMax: 200,
	siteRowsMax: 1e3,
	clientRowsMax: 1e4,
	rowsMax: 2e4,
	newcomersRowsMax: 1e4,
	fewOfAddress: 5,
	fewOfSite: 25
};
const STRANGERS_KINDS = /* @__PURE__ */ new Set([
	"PushedAuthorizationRequest",
	"Interaction",
	"DeviceCode",
	"Session"
]);
const ADDRESS = "address ";
const TAG_DIGITS = 32;
function createBeginnings({ sql, clock, sealer, bounds }) {
	const address = new AsyncLocalStorage();
	const underWay = /* @__PURE__ */ new Map();
	/** Counts one more under way for `key`, until `end`; `others` were there before. */
	function begin(key) {
		const others = underWay.get(key) ?? 0;
		underWay.set(key, others + 1);
		const end = () => {
			const left = (underWay.get(key) ?? 1) - 1;
			if (left > 0) underWay.set(key, left);
			else underWay.delete(key);
		};
		return {
			others,
			end
		};
	}
	const ofAddresses = new RowEstimate(bounds.rowsMax, async () => {
		return (await sql.query(`select count(*) as n from (select begun_by from oauth_record where begun_by is not null
         and begun_by like '${ADDRESS}%' order by begun_by limit $1) as begun`, [bounds.rowsMax + bounds.newcomersRowsMax]))[0]?.n ?? 0;
	});
	async function look(begunBy, row) {
		return (await sql.query(`select count(case when begun_by = $1 then 1 end) as held, count(*) as held_of_site,
         min(case when begun_by = $1 then purge_at end) as first_end, min(purge_at) as first_end_of_site,
         (select count(*) from oauth_record where digest = $4 and kind = $5) as known
       from oauth_record where begun_by between $2 and $3`, [
			begunBy,
			...siteOf(begunBy),
			row.digest,
			row.kind
		]))[0] ?? {
			held: 0,
			held_of_site: 0,
			first_end: null,
			first_end_of_site: null,
			known: 0
		};
	}
	/** Throws when `begunBy` has no room left beside what it and its site are beginning at this moment. */
	async function requireRoom({ begunBy, ...row }, others) {
		const isClient = begunBy.startsWith("client ");
		const max = isClient ? bounds.clientRowsMax : bounds.addressRowsMax;
		const siteMax = isClient ? bounds.clientRowsMax : bounds.siteRowsMax;
		const judge = async () => {
			const { known, ...found } = await look(begunBy, row);
			const held = found.held + others.here;
			const heldOfSite = found.held_of_site + others.ofSite;
			return {
				known: known > 0,
				newcomer: held < bounds.fewOfAddress && heldOfSite < bounds.fewOfSite,
				hasRoom: known > 0 || held < max && heldOfSite < siteMax,
				firstEndMs: (held < max ? found.first_end_of_site : found.first_end) ?? clock.now() + 6e4
			};
		};
		let judged = await judge();
		if (!judged.hasRoom && judged.firstEndMs <= clock.now()) {
			await sql.query("delete from oauth_record where begun_by between $1 and $2 and purge_at <= $3", [...siteOf(begunBy), clock.now()]);
			judged = await judge();
		}
		if (judged.hasRoom) return judged;
		throw tooMany(begunBy, judged.firstEndMs - clock.now());
	}
	return {
		from(ip, work) {
			const tagOf = (key) => sha256Hex(sealer.tag(`address ${key}`)).slice(0, TAG_DIGITS);
			return address.run(tagOf(siteKey(ip)) + tagOf(addressKey(ip)), work);
		},
		beginnerOf(kind, personId) {
			if (!STRANGERS_KINDS.has(kind) || personId !== void 0) return null;
			const client = kind === "PushedAuthorizationRequest" ? lib_default.ctx?.oidc.client : void 0;
			if (client && client.clientAuthMethod !== "none") return `client ${client.clientId}`;
			const from = address.getStore();
			return from === void 0 ? null : ADDRESS + from;
		},
		async keep(row, write) {
			const { begunBy } = row;
			const [site] = siteOf(begunBy);
			const [here, ofSite] = [begin(begunBy), begin(`site of ${site}`)];
			try {
				const { known, newcomer } = await requireRoom(row, {
					here: here.others,
					ofSite: ofSite.others
				});
				if (known || begunBy.startsWith("client ")) return await write();
				return await ofAddresses.add(write, {
					full: () => waiting(MINUTE_MS, "Too many sign-ins have been begun here."),
					clear: () => purgeRecords(sql, clock.now()),
					beyond: newcomer ? bounds.newcomersRowsMax : 0
				});
			} finally {
				here.end();
				ofSite.end();
			}
		}
	};
}
/**
* The first and the last beginner of the same site. The text of an address begins with the tag of its site. Tags are
* hexadecimal digits of one length, so that every collation sorts them alike.
*/
function siteOf(begunBy) {
	if (!begunBy.startsWith(ADDRESS)) return [begunBy, begunBy];
	const site = begunBy.slice(0, 40);
	return [site + "0".repeat(TAG_DIGITS), site + "f".repeat(TAG_DIGITS)];
}
function tooMany(begunBy, waitMs) {
	return waiting(waitMs, begunBy.startsWith("client ") ? "This application began too many sign-ins that were never finished." : "Too many sign-ins that were never finished were begun from this address.");
}

// src/oauth/policy.ts
function scopesOfFlow(flow) {
	return SCOPE_NAMES.filter((scope) => SCOPES[scope][flow]);
}
/** The first scope asked for that this client may not have in this flow. */
function refusedScope(asked, registered, flow) {
	const allowed = new Set(registered?.split(" "));
	const ofFlow = new Set(scopesOfFlow(flow));
	return scopesIn(asked).find((scope) => !allowed.has(scope) || !ofFlow.has(scope));
}
/**
* RFC 6749 §3.3: what a request that names no scope asks for. All the client was registered for, except what has to be
* asked for by name: an ID token, claims about the person, staying connected.
*/
function defaultScope(registered, flow) {
	const named = /* @__PURE__ */ new Set([
		"openid",
		"profile",
		"email",
		"offline_access"
	]);
	const ofFlow = new Set(scopesOfFlow(flow));
	return scopesIn(registered).filter((scope) => ofFlow.has(scope) && !named.has(scope)).join(" ");
}
function scopesIn(text) {
	return text === void 0 ? [] : text.split(" ").filter((scope) => scope !== "");
}
/** Scopes in words, for the consent page. */
function scopesInWords(text) {
	return inWords(scopesIn(text).filter(isScope));
}
function inWords(scopes) {
	return scopes.map((name) => ({
		name,
		words: SCOPES[name].words
	}));
}
/** Of what an application asks for, what a person with this role can let it do, and what not. */
function splitByRole(asked, role) {
	const scopes = scopesIn(asked).filter(isScope);
	return {
		allowed: scopes.filter((scope) => mayConsent(role, scope)),
		refused: scopes.filter((scope) => !mayConsent(role, scope))
	};
}

// src/oauth/client-metadata.ts
const CLIENT_ID = /^cli_[0-9A-Za-z]{20}$/;
function createClientMetadata({ sql, clock, ttlMs, entriesMax }) {
	const clients = rememberLookUps(async (id) => {
		const found = await findClientInState(sql, id);
		return found?.client.state === "active" && found.organisationState !== "disabled" ? toMetadata(found.client) : void 0;
	}, {
		clock,
		ttlMs,
		entriesMax
	});
	return {
		async find(id) {
			if (id === "assay-cli") return COMMAND_LINE_METADATA;
			return CLIENT_ID.test(id) ? clients.find(id) : void 0;
		},
		forget: () => clients.forget()
	};
}
/** The command line of this service works with every installation: nobody has to register it first. */
const COMMAND_LINE_METADATA = {
	client_id: COMMAND_LINE_CLIENT,
	client_name: "Assay command line",
	application_type: "native",
	scope: scopesOfFlow("user").join(" "),
	grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
	response_types: [],
	redirect_uris: [],
	token_endpoint_auth_method: "none",
	kind_of_client: "native"
};
function toMetadata(client) {
	const authentication = authenticationOf(client);
	const { user } = CLIENT_KINDS[client.kind];
	const codes = user && client.redirect_uris.length > 0;
	return {
		client_id: client.id,
		client_name: client.name,
		application_type: client.kind === "native" ? "native" : "web",
		scope: client.scopes.join(" "),
		grant_types: [
			...user ? [] : ["client_credentials"],
			...codes ? ["authorization_code"] : [],
			...client.kind === "native" ? ["urn:ietf:params:oauth:grant-type:device_code"] : [],
			...user && client.scopes.includes("offline_access") ? ["refresh_token"] : []
		],
		response_types: codes ? ["code"] : [],
		redirect_uris: [...client.redirect_uris],
		post_logout_redirect_uris: [...client.logout_uris],
		token_endpoint_auth_method: authentication === "client_secret" ? "client_secret_basic" : authentication,
		...client.secret_digest === null ? {} : { client_secret: client.secret_digest },
		...client.jwks === null ? {} : { jwks: { keys: [...client.jwks.keys] } },
		organisation_id: client.organisation_id,
		kind_of_client: client.kind
	};
}

// src/oauth/cookies.ts
/** The few cookies that are ours; the OAuth library keeps its own. */
function readCookie(header, name) {
	for (const part of header?.split(";") ?? []) {
		const [key, value] = part.trim().split("=", 2);
		if (key === name && value !== void 0 && /^[A-Za-z0-9_-]{1,200}$/.test(value)) return value;
	}
}
function writeCookie(name, value, options) {
	const secure = options.secure ? "; Secure" : "";
	return `${name}=${value}; Path=${options.path}; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

// src/oauth/csrf.ts
/**
* A page's proof that it is ours: a tag over the cookie, which another site can make a browser send but cannot read.
* `subject` names the purpose as well, so that one page's tag is worth nothing to another.
*/
async function requireCsrf(request, sealer, subject) {
	const given = request.headers["x-csrf-token"];
	if (typeof given !== "string" || !await sealer.isTag(subject, given)) throw new Problem("form_outdated", { detail: "This form is out of date or was sent from elsewhere. Load the page again." });
}
/** A field of a JSON body that must be text of a bounded length. */
function textField(body, name, lengthMax) {
	const value = typeof body === "object" && body !== null ? body[name] : void 0;
	if (typeof value === "string" && value.length <= lengthMax && !value.includes("\0")) return value;
	throw new Problem("validation_failed", {
		detail: `${name} must be text of at most ${lengthMax} characters.`,
		errors: [{
			pointer: `/${name}`,
			code: "invalid",
			detail: `Give text of at most ${lengthMax} characters.`
		}]
	});
}

// src/oauth/paths.ts
/** Where the OAuth endpoints are. */
const PATHS = {
	authorization: "/oauth/authorize",
	token: "/oauth/token",
	device_authorization: "/oauth/device_authorization",
	revocation: "/oauth/revoke",
	introspection: "/oauth/introspect",
	userinfo: "/oauth/userinfo",
	end_session: "/oauth/logout",
	pushed_authorization_request: "/oauth/par",
	jwks: "/.well-known/jwks.json",
	code_verification: "/device"
};
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

// src/oauth/device-pacing.ts
/**
* RFC 8628 §3.5: a device waits `interval` seconds between polls, and five more after every poll that came too early.
* The pace is kept with the code in the database, so that it is the same whichever node is asked.
*/
const INTERVAL_GROWTH_MS = 5 * SECOND_MS;
const INTERVAL_MS_MAX = 600 * SECOND_MS;
/** A device that waits exactly its interval may still arrive a little early. */
const JITTER_MS = 250;
/** Notes a poll of a pending code; true when it came too early. */
async function notePoll(sql, input) {
	return (await sql.query(`update oauth_record set
       polled_early = case when abs($2 - polled_at) < coalesce(poll_interval_ms, $3) - $5 then 1 else 0 end,
       poll_interval_ms = case when abs($2 - polled_at) < coalesce(poll_interval_ms, $3) - $5
         then coalesce(poll_interval_ms, $3) + $4 else coalesce(poll_interval_ms, $3) end,
       polled_at = $2
     where digest = $1 and kind = 'DeviceCode' and coalesce(poll_interval_ms, 0) <= $6 returning polled_early`, [
		sha256Hex(input.deviceCode),
		input.nowMs,
		input.intervalMs,
		INTERVAL_GROWTH_MS,
		JITTER_MS,
		INTERVAL_MS_MAX
	]))[0]?.polled_early !== 0;
}

// src/oauth/failures.ts
const RETRY = { "retry-after": "1" };
function failureOf(error) {
	if (error instanceof StoreUnavailable) return {
		status: 503,
		headers: RETRY,
		error: "temporarily_unavailable",
		code: "store_unavailable",
		description: "the server cannot reach its store, try again shortly"
	};
	if (error instanceof Problem) {
		const { status, headers, code, detail } = error;
		return {
			status,
			headers,
			error: errorOf(status),
			code,
			description: detail
		};
	}
	if (error instanceof OIDCProviderError && error.expose) {
		const { statusCode: status, error: name, error_description: description = "the request is not valid" } = error;
		return {
			status,
			headers: {},
			error: name,
			code: name,
			description
		};
	}
	const status = typeof error === "object" && error !== null && "statusCode" in error ? Number(error.statusCode) : 500;
	const description = status === 413 ? "the body is too large" : status < 500 ? "the request cannot be read" : "something went wrong on our side";
	return {
		status,
		headers: {},
		error: errorOf(status),
		code: errorOf(status),
		description
	};
}
function errorOf(status) {
	if (status === 503 || status === 429) return "temporarily_unavailable";
	return status >= 500 ? "server_error" : "invalid_request";
}
/** Where a person's browser asks, and not a program. */
function isForPeople(path) {
	return [
		PATHS.authorization,
		PATHS.end_session,
		PATHS.code_verification
	].some((start) => path === start || path.startsWith(`${start}/`));
}
/** Headers and body of the answer that tells of a failure. */
function tellFailure(failure, { path, pages, requestId }) {
	const headers = {
		...failure.headers,
		"cache-control": "no-store"
	};
	if (isForPeople(path)) {
		const { code, description } = failure;
		return {
			headers: {
				...pages.headers,
				...headers
			},
			body: pages.render({
				code,
				detail: description,
				request_id: requestId
			})
		};
	}
	return {
		headers: {
			...headers,
			"content-type": "application/json; charset=utf-8"
		},
		body: JSON.stringify({
			error: failure.error,
			error_description: failure.description
		})
	};
}

// src/oauth/pages.ts
/** A page without the application: sign-out, whose form the library makes. */
function plainPage(title, body) {
	return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} · Assay</title><style>${PLAIN_STYLE}</style></head>
<body><main>${MARK}<h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`;
}
/** The look of the other pages, as far as one without their script and style sheet needs it. */
const PLAIN_STYLE = `:root{--page:#f6f4ee;--ink:#1b1d1c;--fill:#0b5d57;--line:#85817a;--sheet:#fff}
@media(prefers-color-scheme:dark){:root{--page:#111615;--ink:#e4e8e5;--fill:#146f66;--line:#66716c;--sheet:#222a28}}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.55 ui-sans-serif,system-ui,sans-serif}
main{max-width:27rem;margin:0 auto;padding:15vh 1.25rem 2rem}
h1{font:600 2rem/1.2 'Iowan Old Style','Palatino Linotype',Palatino,Georgia,serif;margin:1.25rem 0 .5rem}
button{font:inherit;font-weight:600;padding:.55rem 1.1rem;margin:.5rem .5rem 0 0;border-radius:4px;cursor:pointer;
border:1px solid var(--line);background:var(--sheet);color:var(--ink)}
button[value]{background:var(--fill);border-color:var(--fill);color:#fff}
:focus-visible{outline:3px solid #57ada1;outline-offset:2px}`;
const MARK = `<svg width="40" height="40" viewBox="0 0 32 32" aria-hidden="true"><path fill="#0b5d57" d="M9 1h14l8 8v14l-8 8H9l-8-8V9z"/><path fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" d="M9.5 24 16 7.5 22.5 24M8 18.2h16"/></svg>`;

// src/oauth/provider.ts
/** The OAuth library, set up: what it serves, how long things live, what may be asked for, how it looks. */
const INTERACTION_SECONDS = 1800;
/** Ties an interaction's pages to the browser that began it. */
const PAGE_COOKIE = "_assay_page";
/** An assertion is remembered until it ends, so that it is used once: a client cannot have it remembered for ever. */
const ASSERTION_SECONDS_MAX = 3600;
const DAY_SECONDS = 86400;
function buildProvider(deps) {
	const { lifetimes, issuer } = deps;
	const cookie = {
		signed: true,
		httpOnly: true,
		sameSite: "lax",
		secure: issuer.startsWith("https:"),
		overwrite: true
	};
	const base = new URL(issuer).pathname.replace(/\/$/, "");
	const configuration = {
		adapter: (name) => name === "Client" ? clientAdapter(deps.clients) : createRecordAdapter(name, deps.records),
		jwks: deps.jwks,
		routes: PATHS,
		scopes: SCOPE_NAMES,
		claims: {
			openid: ["sub"],
			profile: ["name"],
			email: ["email", "email_verified"]
		},
		responseTypes: ["code"],
		subjectTypes: ["public"],
		clientAuthMethods: [
			"client_secret_basic",
			"client_secret_post",
			"private_key_jwt",
			"none"
		],
		extraClientMetadata: { properties: ["organisation_id", "kind_of_client"] },
		enabledJWA: {
			idTokenSigningAlgValues: ["RS256"],
			clientAuthSigningAlgValues: [
				"RS256",
				"PS256",
				"ES256",
				"EdDSA"
			]
		},
		async assertJwtClientAuthClaimsAndHeader(_ctx, claims, _header, client) {
			if (!(Number(claims.exp) - deps.clock.now() / 1e3 <= ASSERTION_SECONDS_MAX)) throw new InvalidClientAuth(`an assertion may live ${ASSERTION_SECONDS_MAX} seconds at most`);
			await deps.tokenLimits.countAssertion(client.clientId);
		},
		pkce: { required: () => true },
		rotateRefreshToken: true,
		expiresWithSession: async () => false,
		cookies: {
			names: {
				session: "_assay_oauth",
				interaction: "_assay_interaction",
				resume: "_assay_resume"
			},
			long: {
				...cookie,
				path: base || "/"
			},
			short: cookie
		},
		ttl: {
			AccessToken: lifetimes.accessTokenSeconds,
			ClientCredentials: (ctx, token) => {
				settleScope(ctx, token);
				return lifetimes.accessTokenSeconds;
			},
			AuthorizationCode: lifetimes.authorizationCodeSeconds,
			IdToken: () => Math.max(1, lifetimes.idTokenSeconds + libraryBehindSeconds(deps.clock)),
			DeviceCode: lifetimes.deviceCodeSeconds,
			RefreshToken: (_ctx, token) => Math.max(1, Math.min(lifetimes.refreshTokenSeconds, lifetimes.refreshChainSeconds - token.totalLifetime())),
			Interaction: INTERACTION_SECONDS,
			Session: (_ctx, session) => session.accountId ? lifetimes.sessionSeconds : INTERACTION_SECONDS,
			Grant: 2 * lifetimes.refreshChainSeconds + DAY_SECONDS
		},
		async loadExistingGrant(ctx) {
			const given = ctx.oidc.result?.consent?.grantId;
			const grantId = given ?? ctx.oidc.session?.grantIdFor(ctx.oidc.client?.clientId ?? "");
			if (!grantId) return void 0;
			const grant = await ctx.oidc.provider.Grant.find(grantId);
			if (!grant || !given && grant.remainingTTL < lifetimes.refreshChainSeconds) return void 0;
			const role = await roleBehind(deps.sql, grantId, "alive");
			if (!role) return void 0;
			const asBefore = splitByRole(grant.getOIDCScope(), role).refused.length === 0 && splitByRole(grant.getRejectedOIDCScope(), role).allowed.length === 0;
			return given || asBefore ? grant : void 0;
		},
		async findAccount(ctx, sub, token) {
			const person = /^usr_[0-9A-Za-z]{20}$/.test(sub) ? await findPerson(deps.sql, sub) : void 0;
			if (person?.state !== "active") return void 0;
			const grantId = token && "grantId" in token ? token.grantId : void 0;
			const how = token?.kind === "AccessToken" ? "alive" : "known";
			if (grantId && !await roleBehind(deps.sql, grantId, how)) return void 0;
			return {
				accountId: sub,
				claims: () => {
					const registered = (ctx.oidc.client?.scope ?? "").split(" ");
					return {
						sub,
						...registered.includes("profile") ? { name: person.name } : {},
						...registered.includes("email") ? {
							email: person.email,
							email_verified: person.email_verified
						} : {}
					};
				}
			};
		},
		extraParams: { scope: checkRequestedScope },
		extraTokenClaims: (ctx, token) => tokenClaims(deps.sql, ctx, token),
		clientBasedCORS: (ctx, origin, client) => (ctx.oidc.route === "userinfo" || client.clientAuthMethod === "none") && (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
		interactions: { url(ctx, interaction) {
			ctx.cookies.set(PAGE_COOKIE, interaction.uid, {
				...cookie,
				overwrite: false,
				path: `${base}/api/interaction/${interaction.uid}`,
				maxAge: INTERACTION_SECONDS * 1e3
			});
			return `${base}/interaction/${interaction.uid}`;
		} },
		renderError(ctx, out) {
			ctx.type = "html";
			ctx.set({
				...deps.pages.headers,
				"cache-control": "no-store"
			});
			ctx.body = deps.pages.render({
				code: out.error,
				detail: out.error_description ?? "The application sent a request that cannot be answered.",
				request_id: ctx.response.get("x-request-id")
			});
		},
		discovery: { service_documentation: `${issuer}/docs` },
		features: {
			devInteractions: { enabled: false },
			clientCredentials: { enabled: true },
			dPoP: { enabled: false },
			resourceIndicators: { enabled: false },
			pushedAuthorizationRequests: { enabled: true },
			userinfo: { enabled: true },
			introspection: {
				enabled: true,
				allowedPolicy: (_ctx, client, token) => mayIntrospect(deps, client, token)
			},
			revocation: {
				enabled: true,
				allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId
			},
			rpInitiatedLogout: {
				enabled: true,
				logoutSource: (ctx, form) => showSignOut(ctx, form),
				postLogoutSuccessSource: (ctx) => {
					ctx.redirect(`${base}/done?what=signed-out`);
				}
			},
			deviceFlow: {
				enabled: true,
				charset: "base-20",
				mask: "****-****",
				deviceInfo: () => ({}),
				userCodeInputSource: (ctx, _form, _out, error) => {
					const denied = error?.name === "AbortedError";
					ctx.redirect(`${base}/device/done?outcome=${denied ? "denied" : "failed"}`);
				},
				userCodeConfirmSource: (ctx) => ctx.redirect(`${base}/device`),
				successSource: (ctx) => ctx.redirect(`${base}/device/done`)
			}
		}
	};
	const provider = new lib_default(issuer, configuration);
	provider.keys = deps.cookieSigner;
	provider.proxy = true;
	const clientPrototype = provider.Client.prototype;
	clientPrototype.compareClientSecret = function compare(secret) {
		return isClientSecret(secret, this.clientSecret ?? "");
	};
	const failures = /* @__PURE__ */ new WeakMap();
	provider.use(async (ctx, next) => {
		await correctAnswers(ctx, next, deps).catch((error) => noteFailure(ctx, error));
		if (failures.has(ctx)) answerFailure(ctx, failures.get(ctx), deps);
	});
	/** The first is the cause; what the library does about it may fail in turn. */
	const noteFailure = (ctx, error) => {
		if (!failures.has(ctx)) failures.set(ctx, error);
	};
	provider.on("server_error", noteFailure);
	EventEmitter.prototype.on.call(provider, "error", (error) => deps.logger.error({ err: error }, "OAuth request failed"));
	return provider;
}
function clientAdapter(clients) {
	const refuse = () => Promise.reject(/* @__PURE__ */ new Error("clients are registered by the operator"));
	return {
		find: (id) => clients.find(id),
		upsert: refuse,
		destroy: refuse,
		consume: refuse,
		findByUid: refuse,
		findByUserCode: refuse,
		revokeByGrantId: refuse
	};
}
/** SPEC's rule 1: only scopes of the registration; and only those of the flow. Runs for authorize, PAR and device. */
function checkRequestedScope(ctx, value, client) {
	const sent = ctx.method === "POST" ? ctx.oidc.body?.scope : ctx.query.scope;
	const asked = typeof sent === "string" && sent !== "" ? sent : value;
	const refused = refusedScope(asked, client.scope, "user");
	if (refused !== void 0) throw new InvalidScope("requested scope is not allowed", refused);
	if (asked === void 0 && ctx.oidc.params) {
		const scope = defaultScope(client.scope, "user");
		if (scope === "") throw new InvalidScope("name at least one scope", "");
		ctx.oidc.params.scope = scope;
	}
}
/** The same for client credentials. */
function settleScope(ctx, token) {
	const registered = ctx.oidc.client?.scope;
	const sent = ctx.oidc.body?.scope;
	const refused = refusedScope(typeof sent === "string" ? sent : void 0, registered, "clientCredentials");
	if (refused !== void 0) throw new InvalidScope("requested scope is not allowed", refused);
	token.scope ??= defaultScope(registered, "clientCredentials");
}
/** What introspection says beyond the standard: who is charged. */
async function tokenClaims(sql, ctx, token) {
	if (token.kind === "ClientCredentials") return { organisation_id: ctx.oidc.client?.organisation_id };
	const grantId = "grantId" in token ? token.grantId : void 0;
	const rows = await sql.query(`select organisation_id from oauth_record where digest = $1 and kind = 'Grant'`, [sha256Hex(grantId ?? "")]);
	return rows[0]?.organisation_id ? { organisation_id: rows[0].organisation_id } : void 0;
}
/** The role of the person behind a grant in the organisation it charges; undefined when it may charge nobody. */
async function roleBehind(sql, grantId, how) {
	return (await sql.query(`select m.role from oauth_record g join membership m on m.person_id = g.person_id
       and m.organisation_id = g.organisation_id join organisation o on o.id = g.organisation_id
     where g.digest = $1 and g.kind = 'Grant' and o.state <> 'disabled' ${how === "alive" ? "and g.consumed_at is null" : ""}`, [sha256Hex(grantId)]))[0]?.role;
}
async function mayIntrospect(deps, client, token) {
	const owner = await deps.clients.find(token.clientId ?? "");
	if (!owner) return false;
	const own = token.clientId === client.clientId;
	const colleague = client.clientAuthMethod !== "none" && owner.organisation_id === client.organisation_id;
	if (!own && !colleague) return false;
	if (token.kind === "RefreshToken") return await roleBehind(deps.sql, token.grantId ?? "", "alive") !== void 0;
	return await deps.verifier.find(token.jti) !== void 0;
}
function showSignOut(ctx, form) {
	const returnTo = ctx.oidc.params?.post_logout_redirect_uri;
	const origin = typeof returnTo === "string" ? URL.parse(returnTo)?.origin : void 0;
	ctx.set("content-security-policy", `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'${origin ? ` ${origin}` : ""}; base-uri 'none'; frame-ancestors 'none'`);
	ctx.body = plainPage("Sign out?", `${form}<p>Sign out of ${escapeHtml(new URL(ctx.oidc.issuer).host)}?</p>
<p><button autofocus type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button>
<button type="submit" form="op.logoutForm">Stay signed in</button></p>`);
}
/** The scope of a token in an answer: without what was taken from the person's role or the registration since consent. */
async function nameWhatWorks(ctx, body, verifier) {
	const asked = ctx.oidc.params;
	const token = ctx.path === PATHS.token && asked?.grant_type !== "client_credentials" ? body.access_token : ctx.path === PATHS.introspection && asked?.token;
	const caller = typeof token === "string" ? await verifier.findNow(token) : void 0;
	if (!caller || typeof body.scope !== "string") return;
	const scopes = caller.scopes;
	const scope = scopesIn(body.scope).filter((name) => scopes.has(name)).join(" ");
	ctx.body = {
		...body,
		scope
	};
}
/** Puts what went wrong in the place of whatever the library made of it: no redirect, no cookie, nothing half done. */
function answerFailure(ctx, error, deps) {
	const failure = failureOf(error);
	const requestId = ctx.response.get("x-request-id");
	if (failure.status >= 500) deps.logger.error({
		request_id: requestId,
		err: error
	}, "OAuth request failed");
	const { headers, body } = tellFailure(failure, {
		path: ctx.path,
		pages: deps.pages,
		requestId
	});
	for (const name of [
		"location",
		"set-cookie",
		"www-authenticate"
	]) ctx.response.remove(name);
	ctx.status = failure.status;
	ctx.body = body;
	ctx.set(headers);
}
/** What the library answers otherwise than the standards say, put right on the way out. */
async function correctAnswers(ctx, next, deps) {
	try {
		await next();
	} catch (error) {
		if (!ctx.path.startsWith(`${PATHS.code_verification}/`)) throw error;
		deps.logger.info({ err: error }, "a device sign-in could not go on");
		ctx.redirect(`${new URL(deps.issuer).pathname.replace(/\/$/, "")}/device/done?outcome=failed`);
		return;
	}
	if (ctx.path === PATHS.revocation && ctx.status === 200) ctx.body = {};
	const body = ctx.body;
	if (typeof body !== "object" || body === null) return;
	if (ctx.path === PATHS.device_authorization && ctx.status === 200) {
		ctx.body = {
			...body,
			interval: deps.lifetimes.deviceIntervalSeconds
		};
		return;
	}
	if (typeof body.error !== "string") {
		await nameWhatWorks(ctx, body, deps.verifier);
		return;
	}
	const answer = { ...body };
	const description = answer.error_description ?? "";
	if (answer.error === "invalid_request" && /is not allowed for this client$/.test(description)) answer.error = "unauthorized_client";
	if (description === "no client authentication mechanism provided" || description === "client_secret must be provided in the Authorization header") {
		answer.error = "invalid_client";
		ctx.status = 401;
	}
	if (answer.error === "invalid_client" && ctx.path !== PATHS.authorization) {
		ctx.status = 401;
		if (!ctx.response.get("www-authenticate")) ctx.set("www-authenticate", `Basic realm="${deps.issuer}"`);
	}
	if (answer.error === "authorization_pending" && ctx.oidc.params?.grant_type === "urn:ietf:params:oauth:grant-type:device_code") {
		if (await notePoll(deps.sql, {
			deviceCode: String(ctx.oidc.params.device_code),
			intervalMs: deps.lifetimes.deviceIntervalSeconds * 1e3,
			nowMs: deps.clock.now()
		})) {
			answer.error = "slow_down";
			answer.error_description = "polled too early: add five seconds to the interval";
		}
	}
	const { status } = ctx;
	ctx.body = answer;
	ctx.status = status;
}

// src/oauth/device-routes.ts
const WRONG_CODES = {
	attemptsMax: 20,
	windowMs: 10 * MINUTE_MS
};
const COOKIE = "_assay_device";
const COOKIE_SECONDS = 3600;
function registerDevice(app, deps) {
	const { sql, clock, sealer } = deps;
	const secure = deps.baseUrl.startsWith("https:");
	const base = new URL(deps.baseUrl).pathname.replace(/\/$/, "");
	const hidden = { schema: { hide: true } };
	const csrfSubject = (cookie) => `device ${cookie}`;
	async function requirePage(request) {
		const cookie = readCookie(request.headers.cookie, COOKIE);
		await requireCsrf(request, sealer, csrfSubject(cookie ?? randomBytes(16).toString("hex")));
	}
	/** The code waiting under what was typed. Unknown, used and expired ones are not told apart. */
	async function findWaiting(request) {
		const typed = textField(request.body, "user_code", 40);
		const { waitMs } = await takeAttemptFrom(sql, "device code", request.ip, WRONG_CODES, clock.now());
		refuseWait(waitMs, "Too many codes were tried from this address.");
		const userCode = typed.toUpperCase().replace(/[^A-Z]/g, "");
		const code = userCode.length === 8 ? await deps.provider().DeviceCode.findByUserCode(userCode) : void 0;
		if (!code || code.isExpired || code.error || code.accountId || code.inFlight) throw new Problem("not_found", { detail: "No device is waiting under this code. Check it, or start again on the device." });
		await returnAttemptFrom(sql, "device code", request.ip);
		return {
			code,
			userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}`
		};
	}
	app.get("/api/device", hidden, async (request, reply) => {
		const cookie = readCookie(request.headers.cookie, COOKIE) ?? randomBytes(24).toString("base64url");
		return reply.header("set-cookie", writeCookie(COOKIE, cookie, {
			path: `${base}/api/device`,
			secure,
			maxAgeSeconds: COOKIE_SECONDS
		})).header("cache-control", "no-store").send({ csrf: sealer.tag(csrfSubject(cookie)) });
	});
	app.post("/api/device/lookup", hidden, async (request, reply) => {
		await requirePage(request);
		const { code, userCode } = await findWaiting(request);
		const client = await deps.provider().Client.find(code.clientId ?? "");
		if (!client) throw new Problem("not_found", { detail: "The application behind this code is gone." });
		const { scope } = code.params ?? {};
		return reply.header("cache-control", "no-store").send({
			user_code: userCode,
			client: {
				id: client.clientId,
				name: client.clientName ?? client.clientId
			},
			scopes: scopesInWords(typeof scope === "string" ? scope : void 0)
		});
	});
	app.post("/api/device/confirm", hidden, async (request, reply) => {
		await requirePage(request);
		const decision = textField(request.body, "decision", 10);
		if (decision !== "allow" && decision !== "deny") throw new Problem("validation_failed", { detail: "decision must be allow or deny." });
		const { code } = await findWaiting(request);
		if ((await sql.query(`update oauth_record set claimed_at = $2 where digest = $1 and kind = 'DeviceCode' and claimed_at is null
       returning digest`, [sha256Hex(code.jti), clock.now()])).length === 0) throw new Problem("not_found", { detail: "This code was just used. Start again on the device." });
		try {
			if (decision === "allow") return { redirect_to: await beginSignIn(request, reply, code) };
			code.error = "access_denied";
			code.errorDescription = "the person refused";
			await code.save();
			return { done: "denied" };
		} catch (error) {
			await sql.query(`update oauth_record set claimed_at = null where digest = $1 and kind = 'DeviceCode'`, [sha256Hex(code.jti)]).catch(() => void 0);
			throw error;
		}
	});
	/** Hands the code to the library, which asks for whatever it needs: sign-in, consent. */
	async function beginSignIn(request, reply, code) {
		const provider = deps.provider();
		const uid = randomBytes(33).toString("base64url").slice(0, 43);
		const path = `${base}${PATHS.code_verification}/${uid}`;
		const details = {
			returnTo: new URL(path, deps.baseUrl).href,
			prompt: {
				name: "login",
				reasons: ["device"],
				details: {}
			},
			params: code.params ?? {},
			trusted: [],
			deviceCode: code.jti,
			cid: uid
		};
		const interaction = Reflect.construct(provider.Interaction, [uid, details]);
		await deps.beginnings.from(request.ip, () => interaction.save(INTERACTION_SECONDS));
		const { cookies } = provider.createContext(request.raw, reply.raw);
		cookies.secure = secure;
		cookies.set(provider.cookieName("resume"), uid, {
			path,
			httpOnly: true,
			signed: true,
			sameSite: "lax",
			secure,
			maxAge: INTERACTION_SECONDS * 1e3
		});
		return path;
	}
}

// src/identity/people/sessions.ts
/** Whether the password somebody signed in with is still theirs. Held until the transaction ends. */
async function isStillSignedIn(tx, { person, passwordHash }) {
	const rows = await tx.query(`select state, password_hash from person where id = $1${tx.forUpdate}`, [person.id]);
	return rows[0]?.state === "active" && rows[0].password_hash === passwordHash;
}
/** Console sessions: a random cookie, of which only the SHA-256 is stored. */
async function openSession(tx, signedIn, lifetimeMs) {
	if (!await isStillSignedIn(tx, signedIn)) throw signInFailed();
	const token = randomBytes(32).toString("base64url");
	const expiresAtMs = tx.nowMs + lifetimeMs;
	await tx.query("insert into console_session (digest, person_id, created_at, expires_at) values ($1, $2, $3, $4)", [
		sha256Hex(token),
		signedIn.person.id,
		tx.nowMs,
		expiresAtMs
	]);
	await tx.query(`delete from console_session where digest in (select digest from console_session
       where person_id = $1 and digest <> $2 order by created_at desc limit 1000 offset 99)`, [signedIn.person.id, sha256Hex(token)]);
	return {
		token,
		expiresAtMs
	};
}
/** The person whose session this is; undefined when it ended or the person was disabled. */
async function findSession(sql, token, nowMs) {
	const [row] = await sql.query(`select ${people.columns("p")}, s.expires_at as session_expires_at
     from console_session s join person p on p.id = s.person_id
     where s.digest = $1 and s.expires_at > $2 and p.state = 'active'`, [sha256Hex(token), nowMs]);
	return row && {
		person: people.fromRow(row),
		expiresAtMs: row.session_expires_at
	};
}
async function closeSession(sql, token) {
	await sql.query("delete from console_session where digest = $1", [sha256Hex(token)]);
}

// src/oauth/interaction-routes.ts
/** What the application asks for. */
function askedOf({ params }) {
	return typeof params.scope === "string" ? params.scope : void 0;
}
const gone = () => new Problem("not_found", { detail: "This sign-in has expired or is finished. Start again from the application." });
function registerInteractions(app, deps) {
	const { sql, sealer } = deps;
	const csrfSubject = (uid) => `interaction ${uid}`;
	const hidden = { schema: { hide: true } };
	/** Only the browser that began the interaction holds its cookie. */
	async function load(request, reply) {
		const { uid } = request.params;
		if (!/^[\w-]{43}$/.test(uid)) throw gone();
		const provider = deps.provider();
		const interaction = provider.createContext(request.raw, reply.raw).cookies.get("_assay_page", { signed: true }) === uid ? await provider.Interaction.find(uid) : void 0;
		if (!interaction || interaction.result) throw gone();
		return interaction;
	}
	async function finish(interaction, result) {
		interaction.result = "error" in result ? result : {
			...interaction.lastSubmission,
			...result
		};
		await interaction.persist();
		return { redirect_to: new URL(interaction.returnTo).pathname };
	}
	app.get("/api/interaction/:uid", hidden, async (request, reply) => {
		const interaction = await load(request, reply);
		const client = await deps.provider().Client.find(String(interaction.params.client_id));
		if (!client) throw gone();
		const accountId = interaction.session?.accountId;
		const person = accountId === void 0 ? void 0 : await findPerson(sql, accountId);
		const consent = interaction.prompt.name === "consent";
		const redirect = interaction.params.redirect_uri;
		const hint = interaction.params.login_hint;
		return reply.header("cache-control", "no-store").send({
			kind: consent ? "consent" : "login",
			csrf: sealer.tag(csrfSubject(interaction.uid)),
			client: {
				id: client.clientId,
				name: client.clientName ?? client.clientId,
				kind: client.kind_of_client
			},
			login_hint: typeof hint === "string" ? hint : null,
			user: person ? {
				email: person.email,
				name: person.name
			} : null,
			scopes: scopesInWords(askedOf(interaction)),
			organisations: person && consent ? (await organisationsOf(sql, person.id)).map(({ id, name, state, role }) => ({
				id,
				name,
				state,
				role,
				left_out: inWords(splitByRole(askedOf(interaction), role).refused)
			})) : [],
			redirect_host: typeof redirect === "string" ? URL.parse(redirect)?.host ?? null : null
		});
	});
	app.post("/api/interaction/:uid/login", hidden, async (request, reply) => {
		const interaction = await load(request, reply);
		await requireCsrf(request, sealer, csrfSubject(interaction.uid));
		if (interaction.prompt.name !== "login") throw gone();
		const email = textField(request.body, "email", 254);
		const password = textField(request.body, "password", 1024);
		const signedIn = await deps.signIn({
			email,
			password,
			ip: request.ip
		});
		const { person } = signedIn;
		const { session } = interaction;
		if (session && session.accountId !== person.id) {
			await (await deps.provider().Session.find(session.cookie))?.destroy();
			interaction.session = void 0;
		}
		const finished = await finish(interaction, { login: {
			accountId: person.id,
			remember: true,
			amr: ["pwd"]
		} });
		if (await changeIn(sql, deps.clock, (tx) => isStillSignedIn(tx, signedIn))) return finished;
		await interaction.destroy();
		throw signInFailed();
	});
	app.post("/api/interaction/:uid/consent", hidden, async (request, reply) => {
		const interaction = await load(request, reply);
		await requireCsrf(request, sealer, csrfSubject(interaction.uid));
		const decision = textField(request.body, "decision", 10);
		if (decision === "deny") return finish(interaction, {
			error: "access_denied",
			error_description: "the person refused"
		});
		if (decision !== "allow") throw new Problem("validation_failed", { detail: "decision must be allow or deny." });
		const accountId = interaction.session?.accountId;
		if (interaction.prompt.name !== "consent" || accountId === void 0) throw gone();
		const organisation = await chooseOrganisation(request.body, accountId);
		const { allowed, refused } = splitByRole(askedOf(interaction), organisation.role);
		if (allowed.every((scope) => scope === "offline_access")) throw new Problem("forbidden", { detail: `Your role ${organisation.role} in ${organisation.name} allows nothing that this application asks for. Ask an owner for another role, then start again.` });
		const { Grant } = deps.provider();
		const grant = new Grant({
			accountId,
			clientId: String(interaction.params.client_id)
		});
		grant.addOIDCScope(allowed.join(" "));
		if (refused.length > 0) grant.rejectOIDCScope(refused.join(" "));
		const grantId = await grant.save();
		await changeIn(sql, deps.clock, (tx) => bindGrant(tx, {
			grantDigest: sha256Hex(grantId),
			personId: accountId,
			organisationId: organisation.id,
			role: organisation.role,
			clientId: String(interaction.params.client_id)
		}));
		return finish(interaction, { consent: { grantId } });
	});
	async function chooseOrganisation(body, accountId) {
		const given = typeof body === "object" && body !== null && "organisation_id" in body ? body.organisation_id : void 0;
		const own = (await organisationsOf(sql, accountId)).filter(({ state }) => state !== "disabled");
		const chosen = given === void 0 || given === null ? own.length === 1 ? own[0] : void 0 : own.find(({ id }) => id === given);
		if (chosen) return chosen;
		throw new Problem(own.length === 0 ? "forbidden" : "validation_failed", {
			detail: own.length === 0 ? "You belong to no organisation that could be charged. Ask the operator." : "Choose the organisation to be charged.",
			...own.length === 0 ? {} : { errors: [{
				pointer: "/organisation_id",
				code: "invalid",
				detail: "Choose one of your organisations."
			}] }
		});
	}
}

// src/oauth/request.ts
/**
* The request as the OAuth library sees it. The library builds addresses from Host and X-Forwarded-*, which anybody can
* set: here they always say the issuer. What real clients send against the letter of the standards is put right too.
*/
var PinnedRequest = class extends IncomingMessage {
	/** For the library: what stands before the path when the issuer has a path of its own. */
	originalUrl = "";
	_read() {}
};
/** Real clients send one to two kilobytes, a signed assertion and a sealed state included. */
const REQUEST_CHARACTERS_MAX = 8192;
const PARAMETER_CHARACTERS_MAX = 4096;
/** Refuses the parameters of a request whose row would be too long, before anything is written. */
function refuseLongParameters(text) {
	if (text.length > REQUEST_CHARACTERS_MAX) throw new InvalidRequest(`the parameters are longer than ${REQUEST_CHARACTERS_MAX} characters in all`);
	if (text.length <= PARAMETER_CHARACTERS_MAX) return;
	for (const [name, value] of new URLSearchParams(text)) if (name.length + value.length > PARAMETER_CHARACTERS_MAX) throw new InvalidRequest(`a parameter is longer than ${PARAMETER_CHARACTERS_MAX} characters`);
}
const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const DROPPED = /* @__PURE__ */ new Set([
	"host",
	"forwarded",
	"accept",
	"content-length",
	"transfer-encoding",
	"content-encoding"
]);
function pinRequest(raw, issuer) {
	const request = new PinnedRequest(raw.socket);
	const headers = {};
	for (const [name, value] of Object.entries(raw.headers)) if (value !== void 0 && !DROPPED.has(name) && !name.startsWith("x-forwarded-")) headers[name] = value;
	headers.host = issuer.host;
	headers["x-forwarded-proto"] = issuer.protocol.slice(0, -1);
	let { url, body } = raw;
	const path = url.split("?", 1)[0] ?? "";
	if (raw.method === "GET" && path === PATHS.authorization) {
		const query = new URLSearchParams(url.slice(path.length + 1));
		if (askForConsent(query)) url = `${path}?${query}`;
	}
	if (path.startsWith(`${PATHS.authorization}/`) || path.startsWith(`${PATHS.code_verification}/`)) url = path;
	if (raw.method === "POST" && body !== void 0 && FORM.test(String(raw.headers["content-type"] ?? ""))) body = correctForm(body, headers, path);
	if (raw.method === "POST") {
		headers["content-length"] = String(body?.length ?? 0);
		if (body?.length) request.push(body);
	}
	request.push(null);
	request.method = raw.method;
	request.url = url;
	request.originalUrl = issuer.pathname.replace(/\/$/, "") + url;
	request.headers = headers;
	request.httpVersion = "1.1";
	request.httpVersionMajor = 1;
	request.httpVersionMinor = 1;
	request.complete = true;
	return request;
}
/**
* OpenID Connect lets `offline_access` take effect only with consent, and the library drops it silently otherwise.
* Asking for it is asking for consent.
*/
function askForConsent(parameters) {
	if (!scopesIn(parameters.get("scope") ?? void 0).includes("offline_access")) return false;
	if (parameters.getAll("prompt").length > 1) return false;
	const prompt = scopesIn(parameters.get("prompt") ?? void 0);
	if (prompt.includes("none") || prompt.includes("consent")) return false;
	parameters.set("prompt", [...prompt, "consent"].join(" "));
	return true;
}
function correctForm(body, headers, path) {
	const emptyBasic = basicWithoutSecret(headers.authorization);
	const pushed = path === PATHS.pushed_authorization_request && body.includes("offline_access");
	if (emptyBasic === void 0 && !pushed) return body;
	const form = new URLSearchParams(body.toString("utf8"));
	if (emptyBasic !== void 0) {
		delete headers.authorization;
		if (!form.has("client_id")) form.set("client_id", emptyBasic);
	}
	if (pushed) askForConsent(form);
	return Buffer.from(form.toString());
}
function basicWithoutSecret(authorization) {
	const encoded = typeof authorization === "string" ? /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1] : void 0;
	if (encoded === void 0) return void 0;
	const text = Buffer.from(encoded, "base64").toString("utf8");
	return /^[\x21-\x39\x3b-\x7e]+:$/.test(text) ? decode(text.slice(0, -1)) : void 0;
}
function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return;
	}
}

// src/oauth/service-token.ts
const KNOWN = /* @__PURE__ */ new Set([
	"grant_type",
	"scope",
	"client_id",
	"client_secret"
]);
const BODY_BYTES_MAX$1 = 2e3;
/** What may stand in credentials and scopes without any encoding to think about. */
const PLAIN = /^[A-Za-z0-9_:. -]+$/;
function createServiceTokens({ clients, clock, insertToken, accessTokenSeconds }) {
	return { async issue({ body, authorization }) {
		const form = readForm(body);
		if (form?.get("grant_type") !== "client_credentials") return void 0;
		const credentials = readCredentials(form, authorization);
		const client = credentials && await clients.find(credentials.id);
		if (client?.token_endpoint_auth_method !== "client_secret_basic" || client.client_secret === void 0) return void 0;
		if (!client.grant_types?.includes("client_credentials")) return void 0;
		if (!credentials || !isClientSecret(credentials.secret, client.client_secret)) return void 0;
		const asked = form.get("scope");
		if (refusedScope(asked, client.scope, "clientCredentials") !== void 0) return void 0;
		const scope = asked === void 0 ? defaultScope(client.scope, "clientCredentials") : asked;
		if (scope === "" || scope.startsWith(" ") || scope.endsWith(" ") || scope.includes("  ")) return void 0;
		const token = randomBytes(33).toString("base64url").slice(0, 43);
		const nowMs = clock.now();
		const iat = Math.floor(nowMs / 1e3);
		const exp = iat + accessTokenSeconds;
		await insertToken({
			digest: sha256Hex(token),
			kind: "ClientCredentials",
			payload: JSON.stringify({
				iat,
				exp,
				clientId: credentials.id,
				kind: "ClientCredentials",
				scope,
				extra: { organisation_id: client.organisation_id }
			}),
			clientId: credentials.id,
			personId: null,
			grantDigest: null,
			scope,
			issuedAtMs: nowMs,
			expiresAtMs: exp * 1e3
		});
		return {
			access_token: token,
			expires_in: accessTokenSeconds,
			token_type: "Bearer",
			scope
		};
	} };
}
/** The fields, when each is known, plain and there once. */
function readForm(body) {
	if (body.length > BODY_BYTES_MAX$1) return void 0;
	const form = /* @__PURE__ */ new Map();
	for (const [name, value] of new URLSearchParams(body.toString("latin1"))) {
		if (!KNOWN.has(name) || form.has(name) || !PLAIN.test(value)) return void 0;
		form.set(name, value);
	}
	return form;
}
/** From the header or from the form, not from both. */
function readCredentials(form, authorization) {
	const [id, secret] = [form.get("client_id"), form.get("client_secret")];
	if (authorization === void 0) return id !== void 0 && secret !== void 0 ? {
		id,
		secret
	} : void 0;
	const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
	if (encoded === void 0 || secret !== void 0) return void 0;
	const text = Buffer.from(encoded, "base64").toString("latin1");
	const colon = text.indexOf(":");
	const given = {
		id: text.slice(0, colon),
		secret: text.slice(colon + 1)
	};
	if (colon < 1 || !PLAIN.test(given.id) || !PLAIN.test(given.secret) || text.includes(" ")) return void 0;
	return id === void 0 || id === given.id ? given : void 0;
}

// src/oauth/session-routes.ts
const READING = /* @__PURE__ */ new Set([
	"GET",
	"HEAD",
	"OPTIONS"
]);
function registerSessions(app, deps) {
	const { sql, clock, sealer } = deps;
	const secure = deps.baseUrl.startsWith("https:");
	const path = new URL(deps.baseUrl).pathname.replace(/\/$/, "") || "/";
	const name = secure && path === "/" ? "__Host-assay_session" : "assay_session";
	const csrfSubject = (token) => `session ${token}`;
	async function find(request) {
		const token = readCookie(request.headers.cookie, name);
		const found = token === void 0 ? void 0 : await findSession(sql, token, clock.now());
		if (token === void 0 || !found) return void 0;
		return {
			token,
			person: found.person,
			organisations: await organisationsOf(sql, found.person.id),
			csrf: sealer.tag(csrfSubject(token)),
			expiresAtMs: found.expiresAtMs
		};
	}
	async function require(request) {
		const signedIn = await find(request);
		if (!signedIn) throw new Problem("session_missing", { detail: "Sign in first." });
		if (!READING.has(request.method)) await requireCsrf(request, sealer, csrfSubject(signedIn.token));
		return signedIn;
	}
	async function answer(reply, { person, organisations, csrf }) {
		const operator = await isOperator(sql, person.id);
		return reply.header("cache-control", "no-store").send({
			user: {
				id: person.id,
				email: person.email,
				name: person.name
			},
			organisations: organisations.map(({ id, name: title, role, state }) => ({
				id,
				name: title,
				role,
				state
			})),
			operator,
			csrf
		});
	}
	app.post("/api/session", { schema: { hide: true } }, async (request, reply) => {
		refuseCrossSite(request, deps.baseUrl);
		const email = textField(request.body, "email", 254);
		const password = textField(request.body, "password", 1024);
		const signedIn = await deps.signIn({
			email,
			password,
			ip: request.ip
		});
		const { person } = signedIn;
		const session = await changeIn(sql, clock, (tx) => openSession(tx, signedIn, deps.sessionSeconds * 1e3));
		const old = readCookie(request.headers.cookie, name);
		if (old !== void 0) await closeSession(sql, old);
		reply.header("set-cookie", writeCookie(name, session.token, {
			path,
			secure,
			maxAgeSeconds: deps.sessionSeconds
		}));
		return answer(reply, {
			person,
			organisations: await organisationsOf(sql, person.id),
			csrf: sealer.tag(csrfSubject(session.token))
		});
	});
	app.get("/api/session", { schema: { hide: true } }, async (request, reply) => answer(reply, await require(request)));
	app.delete("/api/session", { schema: { hide: true } }, async (request, reply) => {
		const { token } = await require(request);
		await closeSession(sql, token);
		return reply.header("set-cookie", writeCookie(name, "", {
			path,
			secure,
			maxAgeSeconds: 0
		})).code(204).send();
	});
	return {
		requireSession: require,
		async sessionCaller(request, organisationId) {
			const { person, organisations, expiresAtMs } = await require(request);
			const membership = organisations.find(({ id }) => id === organisationId);
			if (!membership) throw new Problem("not_found", { detail: "There is no such organisation." });
			return {
				organisationId,
				credentialId: person.id,
				method: "session",
				scopes: new Set(ROLES[membership.role].scopes),
				state: membership.state,
				stateReason: membership.state_reason,
				expiresAtMs,
				userId: person.id,
				role: membership.role
			};
		}
	};
}
/** Signing in has no earlier page to take a token from: a browser says where a request comes from. */
function refuseCrossSite(request, baseUrl) {
	const { origin } = request.headers;
	const site = request.headers["sec-fetch-site"];
	if (origin !== void 0 && origin !== new URL(baseUrl).origin && site !== "same-origin") throw new Problem("forbidden", { detail: "Sign in from the pages of this server." });
}

// src/oauth/token-limits.ts
/** Clients that prove themselves by assertions also do so to introspect, revoke and push requests. */
const ASSERTIONS_PER_TOKEN = 10;
const LEASES_MAX = 1e4;
const LEASE_PARTS = 10;
const LIVING_MINUTES = 60;
/** By what each grant type says for whom a token is asked. */
const CREDENTIALS = /* @__PURE__ */ new Map([
	["refresh_token", {
		parameter: "refresh_token",
		kind: "RefreshToken"
	}],
	["authorization_code", {
		parameter: "code",
		kind: "AuthorizationCode"
	}],
	[DEVICE_GRANT, {
		parameter: "device_code",
		kind: "DeviceCode"
	}]
]);
const FREE = { giveBack: () => {} };
function createTokenLimits({ sql, clock, clients, accessTokenSeconds, tokensPerMinuteOf }) {
	const leases = /* @__PURE__ */ new Map();
	const pending = /* @__PURE__ */ new Map();
	async function organisationOfClient(clientId) {
		const client = await clients.find(clientId);
		return client && organisationOf(client);
	}
	async function rateOf({ organisationId }) {
		return organisationId && await tokensPerMinuteOf?.(organisationId) || 600;
	}
	function remember(key, lease) {
		leases.delete(key);
		leases.set(key, lease);
		if (leases.size <= LEASES_MAX) return;
		const oldest = leases.keys().next();
		if (!oldest.done) leases.delete(oldest.value);
	}
	async function countLiving({ clientId, personId }) {
		return (await sql.query(personId === void 0 ? `select count(*) as n from oauth_record
           where client_id = $1 and kind = 'ClientCredentials' and expires_at > $2` : `select count(*) as n from oauth_record
           where client_id = $1 and kind = 'AccessToken' and expires_at > $2 and person_id = $3`, [
			clientId,
			clock.now(),
			...personId === void 0 ? [] : [personId]
		]))[0]?.n ?? 0;
	}
	function giveBack(key, { endsAtMs }) {
		const lease = leases.get(key);
		if (lease?.endsAtMs === endsAtMs) lease.left++;
	}
	async function refill(key, perMinute, living) {
		const nowMs = clock.now();
		if (await living() >= LIVING_MINUTES * perMinute) {
			remember(key, {
				left: 0,
				endsAtMs: nowMs + MINUTE_MS,
				last: true
			});
			return;
		}
		const wanted = Math.ceil(perMinute / LEASE_PARTS);
		const { taken, endsAtMs } = await takeAttempts(sql, key, {
			attemptsMax: perMinute,
			windowMs: MINUTE_MS
		}, nowMs, { wanted });
		const before = leases.get(key);
		remember(key, {
			left: taken + (before?.endsAtMs === endsAtMs ? before.left : 0),
			endsAtMs,
			last: taken < wanted
		});
	}
	async function take(key, perMinute, living) {
		for (;;) {
			const lease = leases.get(key);
			if (lease && lease.endsAtMs > clock.now()) {
				if (lease.left > 0) {
					lease.left--;
					return lease;
				}
				if (lease.last) throw waiting(lease.endsAtMs - clock.now(), `This application may get ${perMinute} tokens a minute.`);
			}
			const filling = pending.get(key) ?? refill(key, perMinute, living).finally(() => pending.delete(key));
			pending.set(key, filling);
			await filling;
		}
	}
	async function setAside(subject) {
		const key = `tokens ${subject.clientId} ${subject.personId ?? ""}`;
		const living = accessTokenSeconds * 1e3 <= 36e5 ? async () => 0 : () => countLiving(subject);
		const lease = await take(key, await rateOf(subject), living);
		return { giveBack: () => giveBack(key, lease) };
	}
	/** The person for whom a token is asked; undefined when none can come of it, so that there is nothing to set aside. */
	async function subjectOf(form, authorization) {
		const clientId = clientIdOf(form, authorization);
		const client = clientId === void 0 ? void 0 : await clients.find(clientId);
		if (clientId === void 0 || !client) return void 0;
		const { parameter, kind } = CREDENTIALS.get(form.get("grant_type") ?? "") ?? {};
		const credential = parameter === void 0 ? null : form.get(parameter);
		if (credential === null || kind === void 0) return void 0;
		const personId = (await sql.query("select person_id from oauth_record where digest = $1 and kind = $2 and client_id = $3", [
			sha256Hex(credential),
			kind,
			clientId
		]))[0]?.person_id ?? void 0;
		return personId === void 0 ? void 0 : {
			clientId,
			organisationId: organisationOf(client),
			personId
		};
	}
	return {
		async countOwn(clientId, write) {
			const reserved = await setAside({
				clientId,
				organisationId: await organisationOfClient(clientId)
			});
			try {
				await write();
			} catch (error) {
				reserved.giveBack();
				throw error;
			}
		},
		async reserve({ body, authorization }) {
			const subject = await subjectOf(new URLSearchParams(body.toString("latin1")), authorization);
			return subject ? setAside(subject) : FREE;
		},
		async countAssertion(clientId) {
			const organisationId = await organisationOfClient(clientId);
			const perMinute = ASSERTIONS_PER_TOKEN * await rateOf({
				clientId,
				organisationId
			});
			await take(`assertions ${clientId}`, perMinute, async () => 0);
		}
	};
}
function organisationOf(client) {
	return typeof client.organisation_id === "string" ? client.organisation_id : void 0;
}
/** Who says to be asking; whether it is true is looked at later, and then the token is given back. */
function clientIdOf(form, authorization) {
	const named = form.get("client_id");
	if (named !== null) return named;
	const encoded = authorization === void 0 ? void 0 : /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1];
	if (encoded !== void 0) return decoded(Buffer.from(encoded, "base64").toString("latin1").split(":", 1)[0] ?? "");
	const claims = form.get("client_assertion")?.split(".")[1];
	return claims === void 0 ? void 0 : subjectOfClaims(claims);
}
function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return;
	}
}
function subjectOfClaims(encoded) {
	try {
		const claims = JSON.parse(Buffer.from(encoded, "base64url").toString());
		return typeof claims === "object" && claims !== null && "sub" in claims && typeof claims.sub === "string" ? claims.sub : void 0;
	} catch {
		return;
	}
}

// src/oauth/token-writer.ts
/**
* Writes access tokens. While one insert is being made durable the next ones gather and go as one statement: a busy
* token endpoint costs one wait for the disk per batch, not per token.
*/
const BATCH_MAX = 200;
const WAITING_MAX$1 = 1e4;
const COLUMNS = [
	{
		name: "digest",
		type: "text",
		of: ({ row }) => row.digest
	},
	{
		name: "kind",
		type: "text",
		of: ({ row }) => row.kind
	},
	{
		name: "payload",
		type: "text",
		of: ({ row }) => row.payload
	},
	{
		name: "client_id",
		type: "text",
		of: ({ row }) => row.clientId
	},
	{
		name: "person_id",
		type: "text",
		of: ({ row }) => row.personId
	},
	{
		name: "grant_digest",
		type: "text",
		of: ({ row }) => row.grantDigest
	},
	{
		name: "scope",
		type: "text",
		of: ({ row }) => row.scope
	},
	{
		name: "issued_at",
		type: "bigint",
		of: ({ row }) => row.issuedAtMs
	},
	{
		name: "expires_at",
		type: "bigint",
		of: ({ row }) => row.expiresAtMs
	},
	{
		name: "purge_at",
		type: "bigint",
		of: ({ row }) => row.expiresAtMs + TOKEN_KEPT_MS
	}
];
const onConflict = "on conflict (digest, kind) do nothing";
function createTokenWriter(sql) {
	let waiting = [];
	let writing = false;
	async function writeAll() {
		writing = true;
		while (waiting.length > 0) {
			const batch = waiting.slice(0, BATCH_MAX);
			waiting = waiting.slice(BATCH_MAX);
			try {
				const inserts = rowsToInsert(sql, {
					table: "oauth_record",
					columns: COLUMNS,
					rows: batch,
					onConflict
				});
				const [only, ...others] = inserts;
				if (only && others.length === 0) await sql.query(only.text, only.params);
				else await sql.transaction((tx) => runStatements(tx, inserts));
				for (const one of batch) one.done();
			} catch (error) {
				for (const one of batch) one.failed(error);
			}
		}
		writing = false;
	}
	return (row) => new Promise((done, failed) => {
		if (waiting.length >= WAITING_MAX$1) {
			failed(new StoreUnavailable(`${WAITING_MAX$1} tokens are waiting to be written`));
			return;
		}
		waiting.push({
			row,
			done,
			failed
		});
		if (!writing) writeAll();
	});
}

// src/oauth/verify.ts
const TOKEN_FORM = /^[\w-]{43}$/;
const LOOK_UP = `
  select r.client_id, r.person_id, r.grant_digest, r.scope, r.expires_at, o.id as organisation_id, o.state, o.state_reason,
    c.state as client_state, c.scopes as client_scopes, co.state as client_organisation_state, g.expires_at as grant_expires_at,
    p.state as person_state, m.role
  from oauth_record r
  left join oauth_client c on c.id = r.client_id
  left join organisation co on co.id = c.organisation_id
  left join oauth_record g on g.digest = r.grant_digest and g.kind = 'Grant' and g.consumed_at is null
  left join person p on p.id = r.person_id
  join organisation o on o.id = coalesce(g.organisation_id, c.organisation_id)
  left join membership m on m.person_id = r.person_id and m.organisation_id = o.id
  where r.digest = $1 and r.kind in ('AccessToken', 'ClientCredentials')`;
function createTokenVerifier({ sql, clock, ttlMs, entriesMax }) {
	async function lookUp(token) {
		const digest = sha256Hex(token);
		const [row] = await sql.query(LOOK_UP, [digest]);
		return {
			caller: row && toCaller(row, clock.now()),
			digest,
			grant: row?.grant_digest ?? null
		};
	}
	const tokens = rememberLookUps(lookUp, {
		clock,
		ttlMs,
		entriesMax
	});
	return {
		find(token) {
			if (!TOKEN_FORM.test(token)) return void 0;
			return whenThere(tokens.find(token), ({ caller }) => caller && caller.expiresAtMs > clock.now() ? caller : void 0);
		},
		findNow: async (token) => TOKEN_FORM.test(token) ? (await lookUp(token)).caller : void 0,
		forget(revoked) {
			if (revoked === "all") tokens.forget();
			else if ("digest" in revoked) tokens.forget(({ digest }) => digest === revoked.digest);
			else if ("grant" in revoked) tokens.forget(({ grant }) => grant === revoked.grant);
			else tokens.forget(({ caller }) => caller?.credentialId === revoked.client);
		}
	};
}
function toCaller(row, nowMs) {
	if (row.expires_at <= nowMs) return void 0;
	if (row.client_state !== "active" && row.client_id !== "assay-cli") return void 0;
	if (row.client_organisation_state === "disabled" && row.person_id !== null) return void 0;
	if (row.grant_digest !== null && (row.grant_expires_at === null || row.grant_expires_at <= nowMs)) return void 0;
	if (row.person_id !== null && (row.person_state !== "active" || row.role === null)) return void 0;
	const registered = row.client_scopes === null ? void 0 : new Set(row.client_scopes.split(" "));
	return {
		organisationId: row.organisation_id,
		credentialId: row.client_id,
		method: "bearer",
		scopes: new Set(row.scope.split(" ").filter(isScope).filter((scope) => registered?.has(scope) ?? true).filter((scope) => row.role === null || mayConsent(row.role, scope))),
		state: row.state,
		stateReason: row.state_reason,
		expiresAtMs: row.expires_at,
		...row.person_id === null ? {} : { userId: row.person_id }
	};
}

// src/oauth/routes.ts
/** How old a remembered answer may get: under the five seconds within which a revocation takes effect everywhere. */
const REMEMBERED_MS = 3 * SECOND_MS;
const KEYS_POLL_MS = 2 * SECOND_MS;
const BODY_BYTES_MAX = 57344;
const ADDRESSES_MAX = 1e4;
const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";
async function registerOAuth(app, deps) {
	const { sql, clock, logger, baseUrl } = deps;
	const issuer = new URL(baseUrl);
	const lifetimes = deps.lifetimes ?? DEFAULT_LIFETIMES;
	const sealer = createSealer(deps.ring);
	const verifier = createTokenVerifier({
		sql,
		clock,
		ttlMs: REMEMBERED_MS,
		entriesMax: 5e4
	});
	const clients = createClientMetadata({
		sql,
		clock,
		ttlMs: REMEMBERED_MS,
		entriesMax: 1e4
	});
	const signIn = createSignIn({
		sql,
		clock
	});
	const beginnings = createBeginnings({
		sql,
		clock,
		sealer,
		bounds: deps.beginnings ?? BEGINNINGS_BOUNDS
	});
	const tokenLimits = createTokenLimits({
		sql,
		clock,
		clients,
		accessTokenSeconds: lifetimes.accessTokenSeconds,
		tokensPerMinuteOf: deps.tokensPerMinuteOf
	});
	const writeToken = createTokenWriter(sql);
	const insertToken = (row) => row.kind === "ClientCredentials" ? tokenLimits.countOwn(row.clientId, () => writeToken(row)) : writeToken(row);
	const serviceTokens = createServiceTokens({
		clients,
		clock,
		insertToken,
		accessTokenSeconds: lifetimes.accessTokenSeconds
	});
	const records = {
		sql,
		clock,
		sealer,
		beginnings,
		insertToken,
		onRevoked(revoked) {
			verifier.forget(revoked);
			sql.notify(OAUTH_CHANNEL, JSON.stringify(revoked)).catch((error) => logger.warn({ err: error }, "revocation not announced"));
		}
	};
	async function build() {
		const { jwks, version } = await loadSigningKeys(sql, sealer, clock.now());
		const provider = buildProvider({
			issuer: baseUrl,
			sql,
			clock,
			logger,
			lifetimes,
			records,
			clients,
			verifier,
			tokenLimits,
			pages: deps.pages,
			cookieSigner: sealer.cookies,
			jwks
		});
		return {
			provider,
			handle: provider.callback(),
			version
		};
	}
	let current = await build();
	async function followKeys() {
		const { version } = await loadSigningKeys(sql, sealer, clock.now());
		if (version !== current.version) current = await build();
	}
	const followKeysSafely = () => followKeys().catch((error) => logger.warn({ err: error }, "the signing keys could not be read again"));
	const keysTimer = setInterval(followKeysSafely, KEYS_POLL_MS).unref();
	const stopListening = await sql.listen(OAUTH_CHANNEL, (payload) => {
		if (payload === "keys") {
			followKeysSafely();
			return;
		}
		clients.forget();
		verifier.forget(parseRevoked(payload));
	});
	async function serve(request, reply) {
		await answer(request, reply);
		return reply;
	}
	/** Ends when the library is done with the request, also when nobody waits for the answer any more. */
	async function answer(request, reply) {
		const pinned = pinRequest({
			method: request.method,
			url: request.url,
			headers: request.headers,
			socket: request.raw.socket,
			body: Buffer.isBuffer(request.body) ? request.body : void 0
		}, issuer);
		for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== void 0) reply.raw.setHeader(name, value);
		reply.raw.setHeader("content-security-policy", "default-src 'none'; script-src; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'");
		reply.raw.setHeader("x-content-type-options", "nosniff");
		reply.raw.setHeader("referrer-policy", "no-referrer");
		if (request.method === "POST") reply.raw.setHeader("pragma", "no-cache");
		reply.hijack();
		try {
			await beginnings.from(request.ip, () => current.handle(pinned, reply.raw));
			return { status: reply.raw.statusCode };
		} catch (error) {
			request.log.error({
				request_id: request.id,
				err: error
			}, "OAuth request failed");
			reply.raw.destroy();
			return { status: 500 };
		}
	}
	const limiter = createRateLimiter({
		clock,
		bucketsMax: ADDRESSES_MAX
	});
	/** What anybody may begin leaves a row until it expires: so many a second, and none of them long. */
	const limited = {
		async onRequest(request) {
			limiter.take(addressKey(request.ip), 100, "beginnings");
		},
		async preHandler({ url, body }) {
			const query = url.indexOf("?");
			if (query >= 0) refuseLongParameters(url.slice(query + 1));
			if (Buffer.isBuffer(body)) refuseLongParameters(body.toString("latin1"));
		}
	};
	await app.register(async (scope) => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser("*", {
			parseAs: "buffer",
			bodyLimit: BODY_BYTES_MAX
		}, (_request, body, done) => done(null, body));
		scope.setErrorHandler((error, request, reply) => {
			const failure = failureOf(error);
			if (failure.status >= 500) request.log.error({
				request_id: request.id,
				err: error
			}, "OAuth request failed");
			const { headers, body } = tellFailure(failure, {
				path: pathOf(request),
				pages: deps.pages,
				requestId: request.id
			});
			return reply.code(failure.status).headers(headers).send(body);
		});
		mount(scope, "/.well-known/openid-configuration", ["GET"]);
		mount(scope, "/.well-known/oauth-authorization-server", ["GET"]);
		mount(scope, PATHS.jwks, ["GET"]);
		mount(scope, `${PATHS.authorization}/:uid`, ["GET"]);
		mount(scope, PATHS.token, [], { elsewhere: ["POST"] });
		scope.post(PATHS.token, hidden, async (request, reply) => {
			const { headers, body } = request;
			if (!Buffer.isBuffer(body)) return serve(request, reply);
			if (headers["content-type"] === FORM_TYPE && headers.origin === void 0) {
				const issued = await serviceTokens.issue({
					body,
					authorization: headers.authorization
				});
				if (issued) return reply.headers(TOKEN_HEADERS).send(issued);
			}
			const reserved = await tokenLimits.reserve({
				body,
				authorization: headers.authorization
			});
			const { status } = await answer(request, reply);
			if (status !== 200) reserved.giveBack();
			return reply;
		});
		mount(scope, PATHS.device_authorization, ["POST"], limited);
		mount(scope, PATHS.revocation, ["POST"]);
		mount(scope, PATHS.introspection, ["POST"]);
		mount(scope, PATHS.pushed_authorization_request, ["POST"], limited);
		mount(scope, PATHS.userinfo, ["GET", "POST"]);
		mount(scope, PATHS.end_session, ["GET"], limited);
		mount(scope, `${PATHS.end_session}/confirm`, ["POST"]);
		mount(scope, `${PATHS.end_session}/success`, ["GET"]);
		mount(scope, `${PATHS.code_verification}/:uid(^[\\w-]{43}$)`, ["GET"]);
		mount(scope, PATHS.authorization, ["GET"], {
			elsewhere: ["POST"],
			...limited
		});
		scope.post(PATHS.authorization, {
			...hidden,
			...limited
		}, (request, reply) => {
			const query = Buffer.isBuffer(request.body) ? request.body.toString("utf8") : "";
			return reply.redirect(`${issuer.pathname.replace(/\/$/, "")}${PATHS.authorization}?${new URLSearchParams(query)}`, 303);
		});
		scope.get(RESOURCE_METADATA_PATH, hidden, (_request, reply) => reply.header("access-control-allow-origin", "*").send({
			resource: baseUrl,
			authorization_servers: [baseUrl],
			scopes_supported: scopesOfFlow("clientCredentials"),
			bearer_methods_supported: ["header"],
			resource_name: "Assay",
			resource_documentation: `${baseUrl}/docs`
		}));
	});
	function mount(scope, url, methods, { elsewhere = [], ...hooks } = {}) {
		const served = [
			...methods,
			...methods.includes("GET") ? ["HEAD"] : [],
			"OPTIONS"
		];
		const others = [
			"DELETE",
			"GET",
			"HEAD",
			"PATCH",
			"POST",
			"PUT"
		].filter((method) => !served.includes(method) && !elsewhere.includes(method));
		scope.route({
			method: served,
			url,
			...hidden,
			...hooks,
			handler: serve
		});
		scope.route({
			method: [...others],
			url,
			...hidden,
			onRequest: async (_request, reply) => reply.code(405).headers({
				allow: [...served, ...elsewhere].join(", "),
				"cache-control": "no-store"
			}).send({
				error: "invalid_request",
				error_description: `use ${[...methods, ...elsewhere].join(" or ")}`
			}),
			handler: () => void 0
		});
	}
	registerInteractions(app, {
		sql,
		clock,
		sealer,
		signIn,
		provider: () => current.provider
	});
	registerDevice(app, {
		sql,
		clock,
		sealer,
		baseUrl,
		beginnings,
		provider: () => current.provider
	});
	return {
		...registerSessions(app, {
			sql,
			clock,
			sealer,
			signIn,
			baseUrl,
			sessionSeconds: lifetimes.sessionSeconds
		}),
		findByToken: verifier.find,
		findTokenNow: verifier.findNow,
		resourceMetadataUrl: `${baseUrl}${RESOURCE_METADATA_PATH}`,
		forget() {
			clients.forget();
			verifier.forget("all");
		},
		purge: () => purgeExpired(sql, clock.now()),
		async close() {
			clearInterval(keysTimer);
			await stopListening();
		}
	};
}
function pathOf({ url }) {
	return url.split("?", 1)[0] ?? "";
}
const FORM_TYPE = "application/x-www-form-urlencoded";
const TOKEN_HEADERS = {
	"cache-control": "no-store",
	pragma: "no-cache",
	"content-type": "application/json; charset=utf-8",
	"x-content-type-options": "nosniff"
};
const hidden = { schema: { hide: true } };
/** What another node announced; anything not understood makes this one look everything up again. */
function parseRevoked(payload) {
	try {
		const value = JSON.parse(payload);
		if (typeof value === "object" && value !== null) {
			if ("digest" in value && typeof value.digest === "string") return { digest: value.digest };
			if ("grant" in value && typeof value.grant === "string") return { grant: value.grant };
			if ("client" in value && typeof value.client === "string") return { client: value.client };
		}
	} catch {
		return "all";
	}
	return "all";
}

// src/ops/health.ts
const CHECK_TIMEOUT_MS = 2e3;
/** Asks every part. The cause of a problem is logged when it begins, and its end too. */
function createReadiness(checks, logger) {
	const failing = /* @__PURE__ */ new Set();
	async function ask({ part, problem }) {
		const cause = await inTime(problem().catch((error) => error ?? "failed"));
		const ready = cause === void 0;
		if (!ready && !failing.has(part)) {
			failing.add(part);
			logger.error(cause instanceof Error ? {
				part,
				err: cause
			} : {
				part,
				cause
			}, "not ready");
		}
		if (ready && failing.delete(part)) logger.info({ part }, "ready again");
		return {
			part,
			ready
		};
	}
	return { async ask() {
		const parts = await Promise.all(checks.map(ask));
		return {
			ready: parts.every((part) => part.ready),
			parts
		};
	} };
}
async function inTime(answer) {
	let timer;
	const late = new Promise((resolve) => {
		timer = setTimeout(() => resolve("did not answer in time"), CHECK_TIMEOUT_MS);
	});
	try {
		return await Promise.race([answer, late]);
	} finally {
		clearTimeout(timer);
	}
}
/** /livez: the process turns. /readyz: it can answer, or which part cannot. */
function registerHealth(app, readiness) {
	app.get("/livez", { schema: { hide: true } }, () => ({ status: "live" }));
	app.get("/readyz", { schema: { hide: true } }, async (_request, reply) => {
		const { ready, parts } = await readiness.ask();
		return reply.code(ready ? 200 : 503).send({
			status: ready ? "ready" : "not ready",
			parts
		});
	});
}

// src/ops/store-writes.ts
/**
* However often it is asked, and by however many, it writes one row at most once in `everyMs`, and not while another
* write is under way. `nowMs` is a clock that never goes back.
*/
function watchStoreWrites(sql, { everyMs = SECOND_MS, nowMs = () => performance.now() } = {}) {
	let known;
	let trying;
	async function tryToWrite() {
		const atMs = nowMs();
		const problem = await sql.query(`insert into readiness (name, written_at) values ('probe', $1)
         on conflict (name) do update set written_at = excluded.written_at`, [systemClock.now()]).then(() => void 0, (error) => error ?? "failed");
		trying = void 0;
		if (known === void 0 || known.atMs <= atMs) known = {
			problem,
			atMs: nowMs()
		};
		return known.problem;
	}
	return {
		wrote() {
			known = {
				problem: void 0,
				atMs: nowMs()
			};
		},
		problem() {
			if (known && nowMs() - known.atMs < everyMs) return Promise.resolve(known.problem);
			trying ??= tryToWrite();
			return trying;
		}
	};
}

// src/risk/facts-report.ts
const NO_FACTS = {
	registered: null,
	changed: null,
	expires: null,
	registrar: null,
	status: null,
	mail: null,
	name_servers: null,
	parked_by: null,
	networks: null,
	certificate: null,
	reverse_dns: null
};
/** The facts of an email address are those of its domain. */
function reportFacts(indicator, facts, snapshot) {
	const { reverse } = facts;
	return {
		...registrationFacts(facts.registration),
		...zoneFacts(facts.zone),
		networks: indicator.kind === "ip" ? networkOf(indicator.ip, snapshot) : hostNetworks(facts.host, snapshot),
		certificate: certificateFact(facts.certificate),
		reverse_dns: seen({
			names: reverse?.names ?? [],
			confirmed: reverse?.confirmed ?? []
		}, reverse)
	};
}
function registrationFacts(registration) {
	const { registeredMs, changedMs, expiresMs, registrar, statuses, found } = registration ?? {};
	return {
		registered: seen(moment(registeredMs), registration),
		changed: seen(moment(changedMs), registration),
		expires: seen(moment(expiresMs), registration),
		registrar: seen(registrar, registration),
		status: seen(found ? statuses : void 0, registration)
	};
}
function zoneFacts(zone) {
	return {
		mail: seen(zone && {
			mx: zone.mx,
			null_mx: zone.nullMx,
			spf: zone.spf,
			dmarc: zone.dmarc
		}, zone),
		name_servers: seen(zone?.ns, zone),
		parked_by: seen(zone?.parkedBy, zone)
	};
}
function certificateFact(certificate) {
	if (!certificate?.answered) return null;
	const { issuer, notBeforeMs, notAfterMs, names } = certificate;
	return seen({
		issuer: issuer ?? null,
		not_before: moment(notBeforeMs) ?? null,
		not_after: moment(notAfterMs) ?? null,
		names: names ?? []
	}, certificate);
}
function hostNetworks(host, snapshot) {
	const networks = host?.addresses.flatMap((address) => {
		const ip = parseIp(address);
		return ip ? network(ip, snapshot) : [];
	});
	return seen(networks, host);
}
/** Nobody has to be asked for the network of an address: a table in the snapshot says which it is. */
function networkOf(ip, snapshot) {
	const tables = snapshot.info.sources.filter(({ roles, rows }) => rows > 0 && roles.includes("network"));
	if (tables.length === 0) return null;
	return seen([network(ip, snapshot)], { seenMs: Math.max(...tables.map(({ asOfMs }) => asOfMs)) });
}
function network(ip, snapshot) {
	const asn = announcerOf(ip, snapshot);
	return {
		address: formatIp(ip),
		asn: asn?.number ?? null,
		name: asn?.name || null,
		country: asn?.country || null
	};
}
/** An IPv6 address that only carries an IPv4 address lies in the network of that one; a private address in none. */
function announcerOf(ip, snapshot) {
	const carried = carriedIpv4(ip);
	const reached = carried?.binding ? carried.ip : ip;
	return specialAddress(reached) === void 0 ? snapshot.asn(reached) : void 0;
}
function seen(value, at) {
	return value === void 0 || at === void 0 ? null : {
		value,
		seen_at: iso(at.seenMs)
	};
}
const YEAR_0_MS = Date.parse("0000-01-01T00:00:00Z");
const YEAR_10000_MS = Date.UTC(1e4, 0);
/** Registries and certificates may name any year; RFC 3339 has four digits for it. */
function moment(timeMs) {
	if (timeMs === void 0 || !(timeMs >= YEAR_0_MS && timeMs < YEAR_10000_MS)) return void 0;
	return iso(timeMs);
}

// src/risk/handling.ts
/** What to do about a level, by family: the sentence `explain` gives as `recommended_action`. */
const RECOMMENDED_ACTIONS = {
	"payment-risk": {
		high: "escalate and verify independently before paying",
		medium: "review payee and payment context",
		low: "proceed under normal payment controls"
	},
	"supply-chain-risk": {
		high: "escalate supplier for further due diligence",
		medium: "review supplier before onboarding or transacting",
		low: "proceed under normal supplier controls"
	},
	"infrastructure-risk": {
		high: "escalate for investigation",
		medium: "review infrastructure context and supporting evidence",
		low: "proceed under normal infrastructure controls"
	}
};

// src/risk/international.ts
/** For an email address, of its domain; undefined for a name in ASCII, and for one that does not decode. */
function internationalName(indicator) {
	if (indicator.kind === "ip" || !indicator.domain.includes("xn--")) return void 0;
	const unicode = domainToUnicode(indicator.domain);
	if (unicode === "" || unicode === indicator.domain) return void 0;
	const mixed = unicode.split(/[.-]/).map(lettersApart);
	return {
		ascii: indicator.domain,
		unicode,
		mixed: mixed.find((words) => words !== void 0) ?? null
	};
}

// src/risk/schema.ts
/** The six risk endpoints as schemas: what the reference shows and clients are generated from. */
const Risk = build_default.String({
	enum: [
		"low",
		"medium",
		"high"
	],
	description: "low: no significant signal. medium: review before deciding. high: escalate."
});
const RiskScore = build_default.Integer({
	minimum: 0,
	maximum: 100,
	description: "low 0–29, medium 30–69, high 70–100."
});
const SignalSchema = build_default.Object({
	code: build_default.String({ description: "Stable code, such as `domain.lookalike`." }),
	description: build_default.String({ description: "The reason in words; may change." }),
	effect: build_default.Integer({ description: "Points the score moved by: positive raises the risk. `base_score` and all effects add up to `risk_score`." }),
	source: build_default.String({ description: "Where the evidence came from." }),
	first_seen: build_default.Union([build_default.String({ format: "date-time" }), build_default.Null()]),
	last_seen: build_default.Union([build_default.String({ format: "date-time" }), build_default.Null()])
}, {
	$id: "Signal",
	title: "Signal"
});
const Signals = build_default.Optional(build_default.Array(build_default.Ref("Signal#"), { description: "Only with explain=true: every reason, strongest first." }));
const Intelligence = build_default.Object({
	version: build_default.String(),
	built_at: build_default.String({ format: "date-time" })
});
const Resembles = build_default.Array(build_default.String(), { description: "Only with explain=true, and only where there is one: the real names that this one may be taken for, such as `paypal.com`." });
const International = build_default.Object({
	ascii: build_default.String({ description: "The name as the DNS has it, such as `xn--pypal-4ve.com`." }),
	unicode: build_default.String({ description: "The name as a browser may show it." }),
	mixed: build_default.Union([build_default.String(), build_default.Null()], { description: "Which letters of another alphabet stand within a word, in words; null where no word mixes alphabets." })
}, { description: "Only with explain=true, and only for a name, or the domain of an email address, with other than ASCII letters." });
const BaseScore = build_default.Integer({
	minimum: 0,
	maximum: 100,
	description: "Only with explain=true: where every score starts. With the effects of its signals it is `risk_score`."
});
const Moment = build_default.Union([build_default.String({ format: "date-time" }), build_default.Null()]);
const listsConsulted = {
	status: build_default.String({
		enum: [
			"consulted",
			"none",
			"not_applicable"
		],
		description: "none: no such list is loaded. not_applicable: such lists say nothing about this indicator."
	}),
	sources: build_default.Integer({
		minimum: 0,
		description: "How many lists."
	}),
	oldest: Moment,
	newest: Moment
};
const consulted = {
	lists: build_default.Object({
		...listsConsulted,
		threat_sources: build_default.Integer({
			minimum: 0,
			description: "How many of them list threats."
		})
	}, { description: "Lists of threats, of what things are, and of what is known to be good." }),
	model: build_default.Object({
		status: build_default.String({ enum: ["consulted", "not_applicable"] }),
		version: build_default.String({ description: "The release that brought it." })
	}, { description: "What was learnt beforehand: about names for email addresses and domains, about networks for IP addresses." }),
	popularity: build_default.Object(listsConsulted, { description: "Lists of much visited sites." }),
	live: build_default.Object({ status: build_default.String({
		enum: [
			"complete",
			"partial",
			"off"
		],
		description: "complete: every look-up was answered in time. partial: some were not; a later question may have the rest. off: nothing was looked up, because this server does not, or cannot."
	}) }, { description: "Facts looked up at the time of the question: who registered a name, its mail and its servers." })
};
const CoverageSchema = build_default.Object(consulted, {
	$id: "Coverage",
	title: "Coverage"
});
const KnowledgeSchema = build_default.Object({
	...consulted,
	known: build_default.String({
		enum: [...KNOWN$1],
		description: "What the sources know about it. neutral: what it is, neither good nor bad. nothing: no source names it, so that a low score is not a clean bill of health. not_public: a private or reserved address or name, with nothing to check."
	}),
	summary: build_default.String({ description: "The same in words; may change." })
}, {
	$id: "Knowledge",
	title: "Knowledge"
});
const Time = build_default.String({ format: "date-time" });
const Texts = build_default.Array(build_default.String());
/** A fact with the time it was seen; null where it was not. */
function fact(value, description) {
	const seen = build_default.Object({
		value,
		seen_at: build_default.String({
			format: "date-time",
			description: "When it was seen."
		})
	});
	return build_default.Union([seen, build_default.Null()], { description });
}
/** One of the words of a table, each described by what it means. */
function word(means) {
	const description = Object.entries(means).map(([name, meaning]) => `${name}: ${meaning}.`);
	return build_default.String({
		enum: Object.keys(means),
		description: description.join(" ")
	});
}
const SPF = {
	absent: "no record",
	pass: "every server may send in its name",
	neutral: "nothing is said of other servers",
	softfail: "mail of other servers is suspicious",
	fail: "mail of other servers is to be refused",
	invalid: "two records, or one that cannot be read"
};
const DMARC = {
	absent: "no record, so that anybody can write in its name",
	none: "mail that fails the checks is only reported",
	quarantine: "mail that fails the checks is suspicious",
	reject: "mail that fails the checks is to be refused",
	invalid: "two records, or one that cannot be read"
};
const FactsSchema = build_default.Object({
	registered: fact(Time, "When the name was registered."),
	changed: fact(Time, "When the registration last changed."),
	expires: fact(Time, "When the registration ends unless it is renewed."),
	registrar: fact(build_default.String(), "Who registered it for its holder."),
	status: fact(Texts, "What the registry says about it, such as `active` or `client hold`."),
	mail: fact(build_default.Object({
		mx: build_default.Array(build_default.String(), { description: "Hosts that take its mail, the preferred first. Empty: it cannot receive mail." }),
		null_mx: build_default.Boolean({ description: "It says itself that it takes no mail (RFC 7505)." }),
		spf: word(SPF),
		dmarc: word(DMARC)
	}), "How the name is set up for mail."),
	name_servers: fact(Texts, "The servers of its DNS zone."),
	parked_by: fact(build_default.String(), "The service that shows a parking page in its place."),
	networks: fact(build_default.Array(build_default.Object({
		address: build_default.String(),
		asn: build_default.Union([build_default.Integer({ minimum: 0 }), build_default.Null()], { description: "Autonomous system number." }),
		name: build_default.Union([build_default.String(), build_default.Null()], { description: "Who runs the network." }),
		country: build_default.Union([build_default.String(), build_default.Null()], { description: "Where the network is registered, as two letters (ISO 3166-1)." })
	})), "The addresses that a host has, and the networks they lie in; empty where it has none. For an IP address its own network, known without a look-up: `seen_at` is then when the table of networks was current."),
	certificate: fact(build_default.Object({
		issuer: build_default.Union([build_default.String(), build_default.Null()]),
		not_before: Moment,
		not_after: Moment,
		names: Texts
	}), "The certificate that the host showed on port 443."),
	reverse_dns: fact(build_default.Object({
		names: Texts,
		confirmed: build_default.Array(build_default.String(), { description: "Those of the names that lead back to the address." })
	}), "The names that the DNS has for an IP address.")
}, {
	$id: "Facts",
	title: "Facts",
	description: "What was seen about a name or an address, each fact with its time; null where it was not seen. For an email address, the facts of its domain."
});
const SHARED_RISK_SCHEMAS = [
	SignalSchema,
	CoverageSchema,
	KnowledgeSchema,
	FactsSchema
];
const SAMPLE = {
	email: {
		indicator: "accounts@example.com",
		target: `sha256:${sha256Hex("accounts@example.com")}`,
		odd: "paypal.security@gmail.com"
	},
	domain: {
		indicator: "example.com",
		target: "example.com",
		odd: "paypa1-login.com"
	},
	ip: {
		indicator: "198.41.0.4",
		target: "198.41.0.4",
		odd: "185.220.101.1"
	}
};
const WORDS = {
	email: {
		one: "Check an email address before a payment",
		many: "Check up to 10,000 email addresses",
		what: "an email address",
		format: "local@domain, at most 254 characters; internationalised addresses are accepted."
	},
	domain: {
		one: "Check the domain of a supplier",
		many: "Check up to 10,000 domains",
		what: "a domain",
		format: "A host name with at least two labels; internationalised names are accepted, and so are suffixes of registries such as gov.uk. No URL, port or IP address."
	},
	ip: {
		one: "Check an IP address",
		many: "Check up to 10,000 IP addresses",
		what: "an IP address",
		format: "IPv4 dotted quad or any IPv6 text form. No zone, prefix or port."
	}
};
const COMMON_PROBLEMS = [
	"malformed_json",
	"ambiguous_credentials",
	"invalid_header",
	"invalid_query",
	"credentials_missing",
	"api_key_invalid",
	"token_invalid",
	"credit_exhausted",
	"account_disabled",
	"account_inactive",
	"insufficient_scope",
	"not_found",
	"method_not_allowed",
	"request_in_flight",
	"body_too_large",
	"unsupported_media_type",
	"validation_failed",
	"idempotency_key_reused",
	"rate_limited",
	"internal",
	"upstream_unavailable",
	"overloaded",
	"store_unavailable",
	"shutting_down"
];
const SECURITY = (scopes) => [{ apiKey: [] }, { oauth2: [...scopes] }];
const QUERY = build_default.Object({ explain: build_default.Optional(build_default.String({
	enum: ["true", "false"],
	description: "true adds the reasons to the answer, what was consulted, and where the score starts; to a single check also the facts seen."
})) });
const HEADERS = build_default.Object({ "idempotency-key": build_default.Optional(build_default.String({
	minLength: 1,
	maxLength: 255,
	description: "Makes a retry safe: the same key and body within 24 hours give the stored answer, charged once."
})) });
const OK_HEADERS = {
	"X-Request-Id": {
		type: "string",
		description: "Id of this request."
	},
	"Idempotent-Replayed": {
		type: "string",
		description: "`true` when a stored answer was given again."
	}
};
function okResponse(description, schema, example) {
	return {
		description,
		headers: OK_HEADERS,
		content: { "application/json": {
			schema,
			examples: { charged: { value: example } }
		} }
	};
}
const billingSample = {
	charged: true,
	is_free: false,
	unit_price_pence: 2,
	billable_units: 1,
	total_price_pence: 2,
	charged_from_credit_pence: 2,
	overage_pence: 0,
	remaining_credit_pence: 998
};
function singleSchema(kind) {
	const { family, sourceType, scope } = KINDS[kind];
	const { one, what, format } = WORDS[kind];
	const { indicator, target } = SAMPLE[kind];
	const result = build_default.Object({
		endpoint: build_default.String({ enum: [family] }),
		risk: Risk,
		risk_score: RiskScore,
		source_type: build_default.String({ enum: [sourceType] }),
		target: build_default.String({ description: "The indicator in normal form; an email address only as a digest." }),
		...BillingFields,
		signals: Signals,
		intelligence: build_default.Optional(Intelligence),
		recommended_action: build_default.Optional(build_default.String({ enum: Object.values(RECOMMENDED_ACTIONS[family]) })),
		base_score: build_default.Optional(BaseScore),
		coverage: build_default.Optional(build_default.Ref("Knowledge#")),
		facts: build_default.Optional(build_default.Ref("Facts#")),
		resembles: build_default.Optional(Resembles),
		international: build_default.Optional(International)
	});
	return {
		tags: ["Risk"],
		operationId: operationId(family, false),
		summary: one,
		description: `Answers low, medium or high for ${what}, with its price. Something nobody knows anything about is low, too: \`coverage\` tells it from what is known to be good, with explain=true. Needs the scope \`${scope}\`.`,
		security: SECURITY([scope]),
		querystring: QUERY,
		headers: HEADERS,
		body: build_default.Object({ [kind]: build_default.String({
			description: format,
			examples: [indicator]
		}) }, {
			additionalProperties: false,
			examples: [{ [kind]: indicator }]
		}),
		response: {
			200: okResponse("The answer.", result, {
				endpoint: family,
				risk: "low",
				risk_score: 4,
				source_type: sourceType,
				target,
				...billingSample
			}),
			...problemResponses(COMMON_PROBLEMS)
		}
	};
}
function bulkSchema(kind) {
	const { family, plural, scope } = KINDS[kind];
	const { many, what, format } = WORDS[kind];
	const { indicator, odd } = SAMPLE[kind];
	const result = build_default.Object({
		results: build_default.Array(build_default.Object({
			[kind]: build_default.String({ description: "The indicator exactly as submitted." }),
			risk: Risk,
			risk_score: RiskScore,
			signals: Signals
		}), { description: "One per submitted record, in order, duplicates included." }),
		...BillingFields,
		base_score: build_default.Optional(BaseScore),
		coverage: build_default.Optional(build_default.Ref("Coverage#")),
		intelligence: build_default.Optional(Intelligence)
	});
	return {
		tags: ["Risk"],
		operationId: operationId(family, true),
		summary: many,
		description: `Answers low, medium or high for each of up to ${RECORDS_MAX} records, ${what} each. One unit per record. An invalid record refuses the whole request and names every bad index. Needs the scopes \`${scope}\` and \`risk:bulk\`.`,
		security: SECURITY([scope, "risk:bulk"]),
		querystring: QUERY,
		headers: HEADERS,
		body: build_default.Object({ [plural]: build_default.Array(build_default.String({ description: format }), {
			minItems: 1,
			maxItems: RECORDS_MAX
		}) }, {
			additionalProperties: false,
			examples: [{ [plural]: [indicator, odd] }]
		}),
		response: {
			200: okResponse("The answers.", result, {
				results: [{
					[kind]: indicator,
					risk: "low",
					risk_score: 4
				}, {
					[kind]: odd,
					risk: "high",
					risk_score: 88
				}],
				...billingSample,
				billable_units: 2,
				total_price_pence: 4,
				charged_from_credit_pence: 4
			}),
			...problemResponses([
				...COMMON_PROBLEMS,
				"bulk_not_in_plan",
				"too_many_records",
				"no_records"
			])
		}
	};
}
/** `payment-risk` → `checkPaymentRisk`, `checkPaymentRiskBulk`. */
function operationId(family, bulk) {
	return `check${family.split("-").map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join("")}${bulk ? "Bulk" : ""}`;
}

// src/risk/routes.ts
function registerRiskRoutes(app, deps) {
	for (const schema of SHARED_RISK_SCHEMAS) app.addSchema(schema);
	for (const kind of KIND_NAMES) {
		const { family, scope } = KINDS[kind];
		const unvalidated = { validatorCompiler: () => () => true };
		app.post(`/v1/${family}`, {
			...unvalidated,
			schema: singleSchema(kind),
			bodyLimit: BODY_BYTES_MAX$2,
			onRequest: deps.gate({
				scopes: [scope],
				bulk: false
			})
		}, (request, reply) => answer(request, reply, deps, single(kind, request.body, deps.engine)));
		app.post(`/v1/${family}/bulk`, {
			...unvalidated,
			schema: bulkSchema(kind),
			bodyLimit: BULK_BODY_BYTES_MAX,
			config: {
				jsonBounds: bulkBounds(kind),
				jsonUnparsed: true
			},
			onRequest: deps.gate({
				scopes: [scope, "risk:bulk"],
				bulk: true
			})
		}, (request, reply) => answer(request, reply, deps, bulk(kind, request, deps)));
	}
}
function single(kind, body, engine) {
	const { indicator } = readSingle(kind, body);
	const { family, sourceType } = KINDS[kind];
	const opened = {
		units: 1,
		async evaluate(explain) {
			const answer = await asking(engine.evaluate(kind, [indicator], { explain }));
			return () => {
				const evaluation = answer.evaluations[0];
				const { score, signals } = evaluation;
				const level = levelOf(score);
				const { base_score, intelligence } = answer;
				const coverage = coverageOfOne(answer.coverage, kind, evaluation);
				const recommended_action = RECOMMENDED_ACTIONS[family][level];
				const { facts = NO_FACTS } = evaluation;
				const more = {
					signals,
					intelligence,
					recommended_action,
					base_score,
					coverage,
					facts,
					resembles: evaluation.resembles?.length ? evaluation.resembles : void 0,
					international: explain ? internationalName(indicator) : void 0
				};
				return {
					before: `{"endpoint":"${family}","risk":"${level}","risk_score":${score},"source_type":"${sourceType}","target":${JSON.stringify(targetOf(indicator))},`,
					after: explain ? `,${JSON.stringify(more).slice(1)}` : "}"
				};
			};
		}
	};
	return {
		kind,
		open: async () => opened
	};
}
function bulk(kind, request, { engine }) {
	const { organisationId } = callerOf(request);
	const records = recordsOf(request.jsonMarks);
	return {
		kind,
		async open() {
			const list = await asking(engine.openList(kind, takeBody(request), {
				organisationId,
				records
			}));
			if (list.invalid) {
				list.close();
				throw invalidRecords(kind, list.length, list.invalid);
			}
			return openedList(list);
		}
	};
}
function openedList(list) {
	return {
		units: list.length,
		async evaluate(explain) {
			const { results, base_score, coverage, intelligence } = await asking(list.evaluate({ explain }));
			const more = {
				base_score,
				coverage,
				intelligence
			};
			return () => ({
				before: `{"results":[${results}],`,
				after: explain ? `,${JSON.stringify(more).slice(1)}` : "}"
			});
		},
		close: () => list.close()
	};
}
/** The body, which the request lets go of: it may be long, and the answer may take a while. */
function takeBody(request) {
	const body = request.body instanceof Buffer ? request.body : NO_BODY;
	request.body = void 0;
	request.rawBody = void 0;
	return body;
}
/** What came without any body is no object either. */
const NO_BODY = Buffer.from("null");
async function answer(request, reply, deps, check) {
	const caller = callerOf(request);
	const explain = readExplain(request);
	const idempotency = readIdempotency(request);
	const release = idempotency && deps.inFlight.hold(caller.organisationId, idempotency.key);
	let opened;
	try {
		const findStored = async () => idempotency && checkReplay(await deps.findStored(caller.organisationId, idempotency.key), idempotency);
		const stored = await findStored();
		if (stored) return send(reply, stored.body, true);
		opened = await check.open();
		const cost = {
			organisationId: caller.organisationId,
			credentialId: caller.credentialId,
			requestId: request.id,
			family: KINDS[check.kind].family,
			units: opened.units
		};
		const refusal = opened.units > 1 ? await deps.foresee(cost) : void 0;
		if (refusal) {
			const paid = await findStored();
			if (paid) return send(reply, paid.body, true);
			throw refusal;
		}
		const { body, replayed } = await deps.charge({
			...cost,
			...idempotency ? { idempotency } : {},
			answer: await opened.evaluate(explain)
		});
		return send(reply, body, replayed);
	} finally {
		opened?.close?.();
		release?.();
	}
}
/** What the engine answers, or the problem to tell the caller. */
function asking(answer) {
	return answer.catch((error) => {
		throw engineProblem(error);
	});
}
function engineProblem(error) {
	if (error instanceof Problem) return error;
	if (error instanceof EngineBusy) return error.of === "organisation" ? tooManyWaiting(error.recordsMax) : overloaded("Too many bulk checks are waiting.");
	const wait = error instanceof EngineUnavailable ? error.retryAfterSeconds : 1;
	return new Problem("upstream_unavailable", {
		detail: "The risk engine cannot answer at the moment. Nothing was charged; try again shortly.",
		headers: { "retry-after": String(wait) },
		cause: error
	});
}
function readExplain(request) {
	const value = request.query.explain;
	if (value === void 0 || value === "false") return false;
	if (value === "true") return true;
	throw new Problem("invalid_query", { detail: "explain must be true or false." });
}
function send(reply, body, replayed) {
	if (replayed) reply.header("idempotent-replayed", "true");
	return reply.header("content-type", "application/json; charset=utf-8").send(body);
}

// src/risk/samples.ts
/**
* What the front page shows to strangers. None of these hurts anybody: the look-alike belongs to the company it looks
* like, the company's site is known everywhere, and the exit nodes of Tor say themselves what they are.
*/
const SAMPLE_INDICATORS = [
	["email", "accounts@go0gle.com"],
	["ip", "185.220.101.1"],
	["domain", "siemens.com"]
];
/** How often at most the engine is asked which snapshot it answers from. */
const LOOK_MS = 5e3;
/**
* Answers from the engine, kept for as long as its snapshot is the same: a stranger can make it do nothing, however
* often they ask. Undefined while the engine cannot answer.
*/
function createSamples(engine, clock) {
	let kept;
	const look = async () => {
		const now = await engine.intelligence();
		if (!now) return void 0;
		if (kept?.intelligence.version !== now.version) kept = await evaluateSamples(engine);
		return kept;
	};
	const remembered = rememberLookUps(() => look().catch(undefinedWhileDown), {
		clock,
		ttlMs: LOOK_MS,
		entriesMax: 1
	});
	return async () => remembered.find("samples");
}
async function evaluateSamples(engine) {
	const samples = [];
	let intelligence;
	for (const [kind, text] of SAMPLE_INDICATORS) {
		const indicator = parseIndicator(kind, text);
		if (isProblem(indicator)) throw new Error(`the sample ${text} is not valid: ${indicator.detail}`);
		const answer = await engine.evaluate(kind, [indicator], {
			explain: true,
			lookUp: false
		});
		const { score, signals, known = "nothing", summary = "" } = answer.evaluations[0];
		const { family } = KINDS[kind];
		const risk = levelOf(score);
		const recommended_action = RECOMMENDED_ACTIONS[family][risk];
		samples.push({
			kind,
			indicator: text,
			family,
			risk,
			risk_score: score,
			recommended_action,
			known,
			summary,
			signals
		});
		intelligence ??= answer.intelligence;
	}
	if (!intelligence) throw new Error("there are no samples");
	return {
		samples,
		intelligence
	};
}
function undefinedWhileDown(error) {
	if (error instanceof EngineUnavailable || error instanceof EngineBusy) return void 0;
	throw error;
}

// src/risk/samples-http.ts
/** Sample answers for the front page: for anybody, and never charged. */
function registerSampleRoute(app, { engine, clock }) {
	const samples = createSamples(engine, clock);
	app.get("/api/samples", { schema: { hide: true } }, async (_request, reply) => {
		const answers = await samples();
		if (!answers) throw new Problem("upstream_unavailable", { detail: "The samples cannot be answered at the moment." });
		return reply.header("cache-control", "public, max-age=60").send(answers);
	});
}

// src/app.ts
/** A revoked key or disabled organisation must be noticed within 5 s: this is how old an answer may be. */
const CALLER_TTL_MS = 2e3;
const CALLERS_MAX = 5e4;
const KEY_TOUCH_MS = 3e4;
async function createApp(parts) {
	const { sql, clock } = parts;
	let leaving = false;
	let stopping = false;
	const pages = await loadPages(parts);
	const http = createHttpServer({
		...parts,
		isLeaving: () => leaving,
		isStopping: () => stopping,
		sendNotFoundPage: (reply) => sendPage(reply, pages, { status: 404 })
	});
	const underWay = trackUnderWay(http);
	http.addHook("onResponse", (request, reply, done) => {
		observe(request.routeOptions.url ?? "unmatched", request, reply, parts.metrics);
		done();
	});
	const otherMethods = refuseOtherMethods(http);
	const keys = trackKeyUse(sql, clock, parts.logger);
	const findKeyNow = async (apiKey) => {
		if (!isWellFormedApiKey(apiKey)) return void 0;
		const caller = await findKeyCaller(sql, apiKey);
		if (!caller || caller.expiresAtMs <= clock.now()) return void 0;
		keys.used(caller.credentialId);
		return caller;
	};
	const callers = cacheCallers(findKeyNow, {
		clock,
		ttlMs: CALLER_TTL_MS,
		entriesMax: CALLERS_MAX
	});
	const allowances = cacheAllowances(parts);
	const tokensPerMinuteOf = (organisationId) => whenThere(allowances.find(organisationId), (plan) => plan.tokens_per_minute ?? 600);
	const oauth = parts.oauth && await registerOAuth(http, {
		...parts,
		...parts.oauth,
		pages,
		tokensPerMinuteOf
	});
	const authentication = {
		findByApiKey: callers.find,
		...oauth ? {
			findByToken: oauth.findByToken,
			resourceMetadataUrl: oauth.resourceMetadataUrl
		} : {}
	};
	const now = {
		...authentication,
		findByApiKey: findKeyNow,
		...oauth ? { findByToken: oauth.findTokenNow } : {}
	};
	const limiter = createRateLimiter({
		clock,
		bucketsMax: CALLERS_MAX
	});
	await registerOpenApi(http, parts);
	const storeWrites = parts.storeWrites ?? watchStoreWrites(sql);
	const readiness = createReadiness([
		{
			part: "server",
			problem: async () => leaving ? "is shutting down" : void 0
		},
		{
			part: "store",
			problem: storeWrites.problem
		},
		{
			part: "engine",
			problem: async () => await parts.engine.intelligence() ? void 0 : "has no intelligence or cannot be reached"
		}
	], parts.logger);
	registerHealth(http, readiness);
	const inFlight = createInFlight();
	const seal = keptAnswers(parts.ring);
	const findBySession = oauth && sessionCallers(oauth);
	http.addHook("preHandler", stillTheSame({
		authentication,
		findBySession
	}, CALLER_TTL_MS));
	registerRiskRoutes(http, {
		engine: parts.engine,
		charge: parts.meter.charge,
		foresee: parts.meter.foresee,
		async findStored(organisationId, key) {
			const row = await findStoredResponse(sql, {
				organisationId,
				key,
				nowMs: clock.now()
			});
			return row && openAnswer(seal, row);
		},
		inFlight,
		gate: (options) => riskGate({
			authentication,
			findBySession,
			limiter,
			allowanceOf: allowances.find
		}, options)
	});
	const resources = {
		...parts,
		provider: parts.payments.name,
		inFlight,
		seal,
		cursors: createCursors(parts.ring),
		gate: (options) => resourceGate({
			authentication,
			findBySession,
			limiter
		}, options),
		passAgain: (request, options) => passAgain({
			authentication: now,
			findBySession
		}, request, options)
	};
	const notAnnounced = (err) => parts.logger.warn({ err }, "a change was not announced");
	const forgetAccounts = () => {
		callers.forget();
		oauth?.forget();
		allowances.forget();
	};
	const stopListening = await sql.listen(ACCOUNTS_CHANNEL, forgetAccounts);
	const announcing = {
		async onAccountChanged(organisationId) {
			forgetAccounts();
			await announceAccountChange(sql, organisationId).catch(notAnnounced);
		},
		async onPeopleChanged() {
			oauth?.forget();
			await announcePersonChange(sql).catch(notAnnounced);
		}
	};
	registerBilling(http, {
		...resources,
		...announcing
	});
	registerIdentity(http, {
		...resources,
		...announcing,
		requireSession: oauth?.requireSession,
		onKeysChanged: callers.forget,
		async onClientChanged(clientId) {
			oauth?.forget();
			await announceClientChange(sql, clientId).catch(notAnnounced);
		}
	});
	registerOfferRoute(http, parts);
	registerSampleRoute(http, parts);
	if (oauth) {
		registerIntelligenceRoutes(http, {
			sql,
			keys: parts.feedKeys,
			snapshotInfo: () => parts.snapshotInfo?.(),
			engineInfo: () => parts.engine.intelligence(),
			requireSession: oauth.requireSession
		});
		const operating = {
			...resources,
			...announcing,
			requireSession: oauth.requireSession
		};
		registerOperatorRoutes(http, operating);
		registerPersonActs(http, operating);
	}
	registerReference(http, parts);
	registerPages(http, pages);
	otherMethods.finish();
	await http.ready();
	return {
		http,
		isReady: async () => (await readiness.ask()).ready,
		purgeTokens: async () => (await oauth?.purge())?.deleted ?? 0,
		async drain(graceMs, delayMs = 0) {
			leaving = true;
			if (delayMs > 0) await setTimeout$1(delayMs);
			stopping = true;
			let timer;
			const graceOver = new Promise((resolve) => {
				timer = setTimeout(resolve, graceMs);
			});
			await Promise.race([underWay.idle(), graceOver]);
			clearTimeout(timer);
		},
		async close() {
			leaving = true;
			stopping = true;
			await http.close();
			await stopListening();
			await oauth?.close();
			await keys.close();
		}
	};
}
/** Whoever is signed in, in the organisation the request names, or in their only one. */
function sessionCallers(oauth) {
	return async (request) => {
		const named = request.headers["x-organisation-id"];
		if (typeof named === "string") return oauth.sessionCaller(request, named);
		const { organisations } = await oauth.requireSession(request);
		const [only, ...others] = organisations;
		if (only && others.length === 0) return oauth.sessionCaller(request, only.id);
		throw new Problem("invalid_header", { detail: "Say which organisation: send its id in x-organisation-id." });
	};
}
/** What each organisation's plan allows, re-read every few seconds so that a change of plan is noticed. */
function cacheAllowances(parts) {
	const find = async (organisationId) => planOf(parts.plans, await readAccount(parts, organisationId));
	return rememberLookUps(find, {
		clock: parts.clock,
		ttlMs: CALLER_TTL_MS,
		entriesMax: CALLERS_MAX
	});
}
/** Remembers when keys were looked up and writes it down now and then: a write per request would cost more than it. */
function trackKeyUse(sql, clock, logger) {
	const used = /* @__PURE__ */ new Map();
	const flush = async () => {
		const batch = new Map(used);
		used.clear();
		await touchKeys(sql, batch).catch((err) => logger.warn({ err }, "last use of keys not written"));
	};
	const timer = setInterval(flush, KEY_TOUCH_MS);
	timer.unref();
	return {
		used(keyId) {
			used.set(keyId, clock.now());
		},
		async close() {
			clearInterval(timer);
			await flush();
		}
	};
}
function observe(route, request, reply, metrics) {
	metrics?.observeRequest({
		method: request.method,
		route,
		status: reply.statusCode
	}, reply.elapsedTime / 1e3);
	const level = reply.statusCode >= 400 ? "info" : "debug";
	if (!isWritten(request.log, level)) return;
	request.log[level]({
		request_id: request.id,
		method: request.method,
		route,
		status: reply.statusCode,
		duration_ms: Math.round(reply.elapsedTime * 100) / 100,
		organisation_id: request.caller?.organisationId,
		credential_id: request.caller?.credentialId
	}, "request");
}
function isWritten(log, level) {
	return log.isLevelEnabled?.(level) ?? true;
}

// src/billing/job.ts
/** Usage, month ends, unpaid invoices, saved cards: what is due is done within minutes, by one node. */
const TRY_AGAIN_MS = 3 * DAY_MS;
const COLLECTED_AT_ONCE_MAX = 500;
function createBillingJob(deps) {
	return {
		name: "billing",
		periodMs: 5 * MINUTE_MS,
		run: (signal) => runBilling(deps, signal)
	};
}
async function runBilling(deps, signal) {
	await rollUpBusy(deps.sql, signal);
	await bringAllToPresent(deps, {
		...signal ? { signal } : {},
		onError: deps.onError
	});
	if (!deps.payments.collect) return;
	const nowMs = deps.clock.now();
	const triedBeforeMs = nowMs - TRY_AGAIN_MS;
	const open = await findCollectable(deps.sql, {
		provider: deps.payments.name,
		triedBeforeMs,
		limit: COLLECTED_AT_ONCE_MAX
	});
	for (const invoice of open) {
		if (signal?.aborted) return;
		if (!await noteTried(deps.sql, {
			id: invoice.id,
			nowMs,
			triedBeforeMs
		})) continue;
		try {
			await deps.payments.collect({
				invoiceId: invoice.id,
				organisationId: invoice.organisation_id,
				amountPence: invoice.total_pence,
				description: `Invoice ${invoice.number}`,
				payer: invoice.payer,
				paymentMethod: invoice.payment_method
			});
		} catch (error) {
			deps.onError(invoice.id, error);
		}
	}
}

// src/billing/ledger/meter.ts
/**
* The metering group commit. Charges that arrive while a batch is being made durable gather into the next one.
*
*  1. A charge's promise resolves after its entry, its balance and (under an idempotency key) its answer are durable,
*     all in one transaction; it rejects when none of them is.
*  2. Within a batch, accounts are locked in the order of their ids and requests are priced in the order they came.
*  3. A request that fails fails alone.
*  4. An account locked elsewhere leaves the batch and waits in a lane of its own, for a bounded time.
*  5. Everything that waits is bounded in number and in time; beyond the bound the answer is 503 and nothing is charged.
*  6. A commit whose answer was lost is looked up before anybody is answered. Where even that is impossible the charge
*     is written down outside the store, the caller gets 503, and what turns out to have been charged is refunded when
*     the store is back, even after a restart.
*  7. Nobody is charged by an outdated standing: an account for which something is due is brought to the present first.
*/
const DEFAULT_LIMITS = {
	batchMax: 256,
	pendingMax: 2e4,
	waitMsMax: 1e4,
	lockTimeoutMs: 2e3,
	lanesMax: 4,
	lookupsMax: 20,
	lookupPauseMs: 250
};
const UNITS_MAX = 1e4;
const RETRY_SOON = { "retry-after": "1" };
function unavailable(detail, cause) {
	return new Problem("store_unavailable", {
		detail,
		headers: RETRY_SOON,
		cause
	});
}
function storeProblem(error) {
	if (!(error instanceof StoreUnavailable)) return error;
	return unavailable("The ledger cannot be written now; nothing was charged. Repeat the request.", error);
}
function createMeter(deps) {
	const { sql, clock, rules, uncertain, seal, limits: given = {}, onOutcome } = deps;
	const limits = {
		...DEFAULT_LIMITS,
		...given
	};
	const queue = [];
	const lanes = /* @__PURE__ */ new Map();
	const lanesWaiting = [];
	/** Organisations to bring to the present before their lane is charged. */
	const due = /* @__PURE__ */ new Set();
	let lanesRunning = 0;
	let pending = 0;
	/** Batches under way, and whether one more begins at the end of this turn of the event loop. */
	let batches = 0;
	let starting = false;
	let closing;
	let idle = () => {};
	const planList = [...rules.plans.values()];
	function charge(request) {
		if (!Number.isInteger(request.units) || request.units < 1 || request.units > UNITS_MAX) return Promise.reject(/* @__PURE__ */ new RangeError(`a charge is for 1 to ${UNITS_MAX} units, not ${request.units}`));
		if (closing) return Promise.reject(new Problem("shutting_down", {
			detail: "The server is shutting down. Repeat the request; nothing was charged.",
			headers: RETRY_SOON
		}));
		if (pending >= limits.pendingMax) return Promise.reject(unavailable("Too many requests wait for the ledger. Repeat the request in a moment."));
		pending++;
		return new Promise((resolve, reject) => {
			const item = {
				request,
				resolve,
				reject,
				sinceMs: performance.now()
			};
			const lane = lanes.get(request.organisationId);
			if (lane) {
				lane.push(...withText([item]));
				return;
			}
			queue.push(item);
			if (starting || batches >= sql.routinesAtOnce) return;
			starting = true;
			setImmediate(startBatch);
		});
	}
	function startBatch() {
		starting = false;
		if (queue.length === 0 || batches >= sql.routinesAtOnce) return;
		batches++;
		settle(withText(inTime(queue.splice(0, limits.batchMax))), false).then((answer) => {
			batches--;
			startBatch();
			setImmediate(answer);
		});
	}
	/** Answers those who have waited too long already, and returns the others. */
	function inTime(items) {
		const oldestMs = performance.now() - limits.waitMsMax;
		return items.filter((item) => {
			if (item.sinceMs >= oldestMs) return true;
			fail(item, unavailable("The ledger is too busy. Repeat the request; nothing was charged."));
			return false;
		});
	}
	/** The answers of a batch are made one after the other, which costs a fraction of making them between other things. */
	function withText(batch) {
		const items = [];
		for (const waiting of batch) try {
			const { organisationId, idempotency, answer } = waiting.request;
			const text = answer();
			const { key, requestHash = "" } = idempotency ?? {};
			const sealed = key === void 0 ? void 0 : sealAnswer(seal, {
				organisationId,
				key
			}, {
				requestHash,
				...text
			});
			items.push({
				...waiting,
				text,
				sealed
			});
		} catch (error) {
			fail(waiting, error);
		}
		return items;
	}
	function done() {
		if (--pending === 0) idle();
	}
	function fail(item, error) {
		item.reject(error);
		done();
	}
	function finish(item, outcome) {
		switch (outcome.is) {
			case "due":
				due.add(item.request.organisationId);
				joinLane(item);
				return;
			case "locked":
				joinLane(item);
				return;
			case "charged": {
				const { before, after } = item.text;
				item.resolve({
					body: `${before}${outcome.billing}${after}`,
					replayed: false
				});
				onOutcome?.(outcome.paid, item.request.units);
				break;
			}
			case "kept":
				repeat(item, outcome).then(done);
				return;
			case "refused":
				item.reject(refusal(outcome, item.request.units));
				break;
			case "failed": item.reject(new Error(outcome.message));
		}
		done();
	}
	/** Answers with what is kept under the key, if the request is the same. Never throws. */
	async function repeat({ request, resolve, reject }, row) {
		const { organisationId, idempotency, units } = request;
		try {
			const kept = await openAnswer(seal, {
				organisationId,
				key: idempotency?.key ?? "",
				...row
			});
			if (kept.requestHash === idempotency?.requestHash) {
				resolve({
					body: kept.body,
					replayed: true
				});
				onOutcome?.("replayed", units);
				return;
			}
			reject(new Problem("idempotency_key_reused", { detail: "The Idempotency-Key was used for another request within 24 hours. Use a new key." }));
			onOutcome?.("refused", units);
		} catch (error) {
			reject(error);
		}
	}
	function refusal({ code, detail }, units) {
		onOutcome?.("refused", units);
		return new Problem(code, { detail });
	}
	/** Charges all items; what it returns answers every one of them. Never throws. */
	async function settle(items, inLane) {
		if (items.length === 0) return () => {};
		try {
			const outcomes = await commit(items, inLane);
			return () => {
				for (const [i, item] of items.entries()) finish(item, outcomes[i]);
			};
		} catch (error) {
			if (error instanceof StoreUnavailable) return () => {
				for (const item of items) fail(item, storeProblem(error));
			};
			const [only, ...others] = items;
			if (only && others.length === 0) return () => fail(only, error);
			const half = items.length >> 1;
			const first = await settle(items.slice(0, half), inLane);
			const second = await settle(items.slice(half), inLane);
			return () => {
				first();
				second();
			};
		}
	}
	async function commit(items, inLane) {
		const options = inLane ? { lockTimeoutMs: limits.lockTimeoutMs } : void 0;
		for (let attempt = 1;; attempt++) try {
			return await sql.run(chargeBatch, batchOf(items, inLane), options);
		} catch (error) {
			if (error instanceof CommitUnknown) {
				const outcomes = error.output;
				if (await lookUpSoon({
					items,
					outcomes
				})) return outcomes;
			} else if (error instanceof UniqueViolation && items.length === 1 && attempt === 1) continue;
			throw error;
		}
	}
	function batchOf(items, inLane) {
		return {
			charges: items.map(({ request, sealed }) => {
				const { organisationId, family, units, credentialId, requestId, idempotency } = request;
				const charge = {
					organisationId,
					family,
					units,
					credentialId,
					requestId
				};
				return idempotency && sealed !== void 0 ? {
					...charge,
					keep: {
						key: idempotency.key,
						sealed
					}
				} : charge;
			}),
			plans: planList,
			nowMs: clock.now(),
			waitForLocks: inLane
		};
	}
	function joinLane(item) {
		const { organisationId } = item.request;
		const lane = lanes.get(organisationId);
		if (lane) {
			lane.push(item);
			return;
		}
		lanes.set(organisationId, [item]);
		lanesWaiting.push(organisationId);
		startLanes();
	}
	function startLanes() {
		while (lanesRunning < limits.lanesMax) {
			const organisationId = lanesWaiting.shift();
			if (organisationId === void 0) return;
			lanesRunning++;
			runLane(organisationId);
		}
	}
	async function runLane(organisationId) {
		const lane = lanes.get(organisationId) ?? [];
		while (lane.length > 0) {
			const items = inTime(lane.splice(0, limits.batchMax));
			(await bringToNow(organisationId).then(() => settle(items, true), (error) => () => {
				for (const item of items) fail(item, storeProblem(error));
			}))();
		}
		lanes.delete(organisationId);
		lanesRunning--;
		startLanes();
	}
	async function bringToNow(organisationId) {
		if (!due.delete(organisationId)) return;
		await bringToPresent({
			...rules,
			sql,
			clock
		}, organisationId);
	}
	/** Whether a draft was committed; waits for a commit still going on, because that holds the account's lock. */
	function lookUp(draft) {
		const [first] = chargedOf(draft);
		if (!first) return Promise.resolve(true);
		const { organisationId, seq, requestId } = first;
		return sql.transaction(async (tx) => {
			await lockAccount(tx, organisationId);
			const [entry] = await readEntries(tx, {
				organisationId,
				afterSeq: seq - 1,
				limit: 1
			});
			return entry?.seq === seq && entry.requestId === requestId;
		}, { lockTimeoutMs: limits.lockTimeoutMs });
	}
	async function lookUpSoon(draft) {
		for (let lookups = 1; lookups <= limits.lookupsMax; lookups++) try {
			return await lookUp(draft);
		} catch (error) {
			if (!(error instanceof StoreUnavailable)) throw error;
			await setTimeout$1(limits.lookupPauseMs);
		}
		uncertain.add(chargedOf(draft).filter(({ kept }) => !kept));
		return false;
	}
	async function drain() {
		if (pending === 0) return;
		await new Promise((resolve) => {
			idle = resolve;
		});
	}
	return {
		charge,
		async foresee(request) {
			const outcome = await foreseeRefusal({
				sql,
				plans: planList,
				nowMs: clock.now()
			}, request);
			return outcome && refusal(outcome, request.units);
		},
		get pending() {
			return pending;
		},
		close() {
			closing ??= drain();
			return closing;
		}
	};
}
/** The charges of a draft: whose, under which number, and whether the answer is kept for a retry. */
function chargedOf({ items, outcomes }) {
	return outcomes.flatMap((outcome, i) => {
		const request = items[i]?.request;
		if (!request || outcome.is !== "charged") return [];
		const { organisationId, requestId, idempotency } = request;
		return [{
			organisationId,
			requestId,
			seq: outcome.seq,
			kept: idempotency !== void 0
		}];
	});
}

// src/billing/ledger/refund-charge.ts
/**
* Returns whether the charge had been committed. Waits for a commit that is still going on, because that holds the
* account's lock.
*/
function refundCharge(tx, rules, charge) {
	const { organisationId, requestId, seq } = charge;
	return atPresent(tx, rules, organisationId, async ({ books }) => {
		const [charged] = await readEntries(tx, {
			organisationId,
			afterSeq: seq - 1,
			limit: 1
		});
		if (charged?.seq !== seq || charged.requestId !== requestId) return false;
		const reference = `refund ${charged.id}`;
		if (await isPosted(tx, organisationId, reference)) return true;
		const invoicedPence = (await openInvoices(tx, organisationId)).reduce((sum, invoice) => sum + invoice.overage_pence, 0);
		books.post(refundOf(charged, books.account, invoicedPence, reference));
		return true;
	});
}
function refundOf(charged, account, invoicedPence, reference) {
	const notInvoiced = Math.max(0, account.overagePence - invoicedPence);
	const overagePence = Math.min(charged.overageDeltaPence, notInvoiced);
	const sameMonth = account.period === charged.period;
	return {
		kind: "refund",
		family: charged.family,
		units: charged.units,
		unitPricePence: charged.unitPricePence,
		freeUnits: sameMonth ? 0 - charged.freeUnits : 0,
		includedDeltaPence: sameMonth ? 0 - charged.includedDeltaPence : 0,
		prepaidDeltaPence: charged.overageDeltaPence - overagePence - charged.prepaidDeltaPence,
		overageDeltaPence: 0 - overagePence,
		credentialId: charged.credentialId,
		requestId: charged.requestId,
		reference,
		detail: "the answer could not be delivered"
	};
}

// src/billing/ledger/uncertain-charges.ts
/**
* Charges whose callers were told 503 while nobody could ask the store whether they were committed.
*
*  1. They are written to a file of their own, beside the store, before their callers are answered.
*  2. Each is asked about again, and refunded if it was committed, with growing pauses, even after a restart.
*  3. One that fails never keeps the others waiting, and a disk that refuses never stops a charge.
*/
/** One file holds the charges of one transaction: this many transactions are remembered. */
const FILES_MAX = 1e3;
const PAUSE_MS_MAX = 5 * MINUTE_MS;
function keepUncertainCharges({ folder, refund, logger, later = afterPause }) {
	const files = /* @__PURE__ */ new Map();
	let pauseMs = SECOND_MS;
	let callOff;
	let round;
	let closed = false;
	function load() {
		if (!existsSync(folder)) return;
		for (const name of readdirSync(folder).filter((file) => file.endsWith(".json")).sort()) try {
			files.set(name, JSON.parse(readFileSync(join(folder, name), "utf8")));
		} catch (err) {
			logger.error({
				err,
				file: name
			}, "uncertain charges cannot be read; the file is left as it is");
		}
	}
	function tellEach(charges, message) {
		for (const charge of charges) logger.error({ ...charge }, message);
	}
	/** In memory first: what the disk refuses is still tried by this process. */
	function keep(name, charges) {
		if (charges.length > 0) files.set(name, charges);
		else files.delete(name);
		try {
			if (charges.length === 0) {
				rmSync(join(folder, name), { force: true });
				return;
			}
			const file = beginWholeFile(join(folder, name), { mode: 384 });
			file.put(Buffer.from(JSON.stringify(charges)));
			file.keep();
		} catch (err) {
			logger.error({
				err,
				charges: charges.length
			}, "uncertain charges cannot be written");
			tellEach(charges, "an uncertain charge is in no file: until it is known, do not restart");
		}
	}
	function plan() {
		if (closed || callOff || round || files.size === 0) return;
		callOff = later(pauseMs, () => {
			callOff = void 0;
			round = tryAll().finally(() => {
				round = void 0;
				plan();
			});
		});
	}
	async function tryAll() {
		pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs);
		for (const [name, charges] of [...files]) {
			const left = [];
			for (const charge of charges) {
				if (closed) return;
				try {
					if (await refund(charge)) logger.warn({ ...charge }, "an answer that was not delivered is refunded");
				} catch (err) {
					left.push(charge);
					logger.warn({
						err,
						...charge
					}, "an uncertain charge is tried again later");
				}
			}
			if (left.length < charges.length) keep(name, left);
		}
		if (files.size === 0) pauseMs = SECOND_MS;
	}
	load();
	plan();
	return {
		add(charges) {
			if (charges.length === 0) return;
			if (files.size >= FILES_MAX) tellEach(charges, "too many uncertain charges: look this one up by hand");
			else keep(`${newId("owe")}.json`, charges);
			plan();
		},
		async close() {
			closed = true;
			callOff?.();
			await round;
		}
	};
}
function afterPause(pauseMs, fn) {
	const timer = setTimeout(fn, pauseMs);
	timer.unref();
	return () => clearTimeout(timer);
}

// src/billing/payments/provider.ts
/** The embedded default: invoices are paid by bank transfer, and the operator settles them. */
const invoiceProvider = {
	name: "invoice",
	async startPayment() {
		return null;
	}
};

// src/risk/fair-queue.ts
/**
* A line for each of those who wait, served in turn: whoever has much waiting delays their own work, not that of others.
*/
var FairQueue = class {
	/** In the order of their turns. A line that is empty is no longer here. */
	#lines = /* @__PURE__ */ new Map();
	#size = 0;
	get size() {
		return this.#size;
	}
	lengthOf(who) {
		return this.#lines.get(who)?.length ?? 0;
	}
	push(who, item) {
		const line = this.#lines.get(who);
		if (line) line.push(item);
		else this.#lines.set(who, [item]);
		this.#size++;
	}
	/** The next item of whose turn it is; then it is the next one's turn. */
	shift() {
		for (const [who, line] of this.#lines) {
			const item = line.shift();
			this.#lines.delete(who);
			if (line.length > 0) this.#lines.set(who, line);
			this.#size--;
			return item;
		}
	}
	clear() {
		const items = [...this.#lines.values()].flat();
		this.#lines.clear();
		this.#size = 0;
		return items;
	}
};

// src/risk/local.ts
/** Answers in this process and in one go: fit for the few indicators of an ordinary request. */
function createLocalEngine(options) {
	const { clock = systemClock, facts: source } = options;
	let scorer;
	let scored;
	function scorerFor(snapshot) {
		if (scorer === void 0 || scored !== snapshot) {
			scorer = createScorer(snapshot, options.models);
			scored = snapshot;
		}
		return scorer;
	}
	function evaluate(kind, indicators, { explain }, found) {
		const snapshot = requireSnapshot(options.snapshots);
		const scoring = scorerFor(snapshot);
		const facts = found?.map((one) => one.facts);
		const evaluations = scoring.evaluate(kind, indicators, facts ? {
			explain,
			facts,
			nowMs: clock.now()
		} : { explain });
		const background = scoring.background(kind);
		return {
			evaluations: explain ? withFacts(evaluations, indicators, facts, snapshot) : evaluations,
			...found ? withLive(background, statusOf(found)) : background
		};
	}
	return {
		async evaluate(kind, indicators, evaluateOptions) {
			if (!source?.isOn() || evaluateOptions.lookUp === false) return evaluate(kind, indicators, evaluateOptions, void 0);
			const found = indicators.map((indicator) => source.about(kind, lookedUp(indicator)));
			return evaluate(kind, indicators, evaluateOptions, (found.every((one) => !(one instanceof Promise)) ? found : void 0) ?? await Promise.all(found));
		},
		openList: async (kind, body) => {
			const texts = readTexts(kind, body);
			const scorerNow = () => scorerFor(requireSnapshot(options.snapshots));
			const work = ({ task, facts }) => workOnList({
				kind,
				texts,
				task,
				facts: facts && readFactTexts(facts),
				nowMs: clock.now()
			}, scorerNow);
			return listBy(work, {
				kind,
				facts: source
			});
		},
		intelligence: async () => {
			const snapshot = options.snapshots.current();
			return snapshot ? intelligenceOf(snapshot) : void 0;
		},
		close: async () => {}
	};
}
function withFacts(evaluations, indicators, facts, snapshot) {
	return evaluations.map((evaluation, i) => ({
		...evaluation,
		facts: reportFacts(indicators[i], facts?.[i] ?? {}, snapshot)
	}));
}
/** Complete only where nothing is missing for any of them. */
function statusOf(found) {
	const [first, ...others] = found.map(({ status }) => status);
	return first !== void 0 && others.every((status) => status === first) ? first : "partial";
}
function requireSnapshot(snapshots) {
	const snapshot = snapshots.current();
	if (!snapshot) throw new EngineUnavailable("No intelligence is loaded yet.", { retryAfterSeconds: 5 });
	return snapshot;
}

// src/risk/worker.ts
/** So few that even the slowest to read take a few milliseconds. */
const RECORDS_PER_TURN = 25;
const TRY_THREADS_AGAIN_MS = 6e4;
function createWorkerEngine(options) {
	const bulkMin = options.bulkMin ?? 200;
	const sliceLength = options.sliceLength ?? 500;
	const slicesMax = options.slicesMax ?? Math.max(400, 200 * options.threads);
	const shareMax = options.shareMax ?? Math.ceil(slicesMax / 4);
	const crashesMax = options.crashesMax ?? 5;
	const program = options.program ?? new URL("./worker-thread.js", new URL("../risk/worker.js", import.meta.url).href);
	const here = createLocalEngine(options);
	const threads = /* @__PURE__ */ new Set();
	const waiting = new FairQueue();
	const bodies = new SharedBodies();
	/** Those whose thread died. */
	const rescued = [];
	const listsHere = new ParsedLists();
	let workingHere = false;
	let scorerHere;
	let nextId = 1;
	let crashes = 0;
	let lastCrashMs = 0;
	let closed = false;
	function start() {
		const thread = {
			worker: new Worker(program),
			has: void 0,
			busy: void 0
		};
		threads.add(thread);
		thread.worker.unref();
		thread.worker.on("message", (answer) => {
			const slice = thread.busy;
			if (slice?.id !== answer.id) return;
			thread.busy = void 0;
			thread.worker.unref();
			crashes = 0;
			if ("problem" in answer) slice.reject(problemFrom(answer.problem));
			else slice.resolve(answer);
			dispatch();
		});
		thread.worker.on("error", (error) => options.onCrash?.(error));
		thread.worker.on("exit", () => lost(thread));
		return thread;
	}
	function lost(thread) {
		if (!threads.delete(thread)) return;
		crashes++;
		lastCrashMs = performance.now();
		const slice = thread.busy;
		thread.busy = void 0;
		if (slice) rescued.push(slice);
		dispatch();
	}
	function dispatch() {
		if (closed) return;
		if (crashes >= crashesMax && performance.now() - lastCrashMs > TRY_THREADS_AGAIN_MS) crashes = 0;
		for (const thread of threads) if (!thread.busy) hand(thread);
		while (waiting.size > 0 && threads.size < options.threads && crashes < crashesMax) startOne();
		if (!workingHere) workHere();
	}
	/** A machine may have no thread left to give. */
	function startOne() {
		try {
			hand(start());
		} catch (error) {
			crashes++;
			lastCrashMs = performance.now();
			options.onCrash?.(error);
		}
	}
	function hand(thread) {
		const slice = waiting.shift();
		if (!slice) return;
		thread.busy = slice;
		const { id, work, snapshot } = slice;
		const shared = snapshot && snapshot !== thread.has ? snapshot.shared : void 0;
		thread.has = snapshot ?? thread.has;
		thread.worker.ref();
		const request = {
			...work,
			id,
			shared,
			facts: work.facts?.slice(work.from, work.to)
		};
		thread.worker.postMessage(request);
	}
	async function workHere() {
		workingHere = true;
		for (;;) {
			const slice = rescued.shift() ?? (threads.size === 0 ? waiting.shift() : void 0);
			if (!slice) break;
			try {
				slice.resolve(await workInTurns(slice));
			} catch (error) {
				slice.reject(error);
			}
		}
		workingHere = false;
	}
	async function workInTurns({ snapshot, work }) {
		const outcomes = [];
		const { kind, task, body, from, to, nowMs } = work;
		await setImmediate$1();
		const all = listsHere.textsOf(kind, body).slice(from, to);
		for (let at = 0; at < all.length; at += RECORDS_PER_TURN) {
			await setImmediate$1();
			if (closed) throw stopped();
			const texts = all.slice(at, at + RECORDS_PER_TURN);
			const facts = work.facts && readFactTexts(work.facts.slice(from + at, from + at + texts.length));
			outcomes.push(workOnList({
				kind,
				texts,
				task,
				facts,
				nowMs
			}, () => scorerOf(snapshot)));
		}
		return joinOutcomes(outcomes, RECORDS_PER_TURN);
	}
	function scorerOf(snapshot) {
		if (!snapshot) throw new Error("a slice is to be scored without a snapshot");
		if (scorerHere?.snapshot !== snapshot) scorerHere = {
			snapshot,
			scorer: createScorer(snapshot, options.models)
		};
		return scorerHere.scorer;
	}
	function admit(organisationId, count) {
		const own = waiting.lengthOf(organisationId);
		if (own + count > shareMax) throw new EngineBusy("organisation", shareMax * sliceLength);
		const room = own === 0 ? 2 * slicesMax : slicesMax;
		if (waiting.size + count > room) throw new EngineBusy("everybody", slicesMax * sliceLength);
	}
	/** One task on a whole list, in slices. */
	async function workApart({ kind, task, body, facts }, { organisationId, records }) {
		requireOpen();
		const snapshot = task === "read" || task === "names" ? void 0 : requireSnapshot(options.snapshots);
		const nowMs = (options.clock ?? systemClock).now();
		const outcomes = [];
		const count = slicesOf(records);
		for (let i = 0; i < count; i++) {
			const to = i === count - 1 ? void 0 : (i + 1) * sliceLength;
			const work = {
				kind,
				task,
				body,
				from: i * sliceLength,
				to,
				facts,
				nowMs
			};
			outcomes.push(new Promise((resolve, reject) => {
				waiting.push(organisationId, {
					id: nextId++,
					snapshot,
					work,
					resolve,
					reject
				});
			}));
		}
		dispatch();
		await Promise.allSettled(outcomes);
		return joinOutcomes(await Promise.all(outcomes), sliceLength);
	}
	async function openApart(kind, bytes, listOptions) {
		admit(listOptions.organisationId, slicesOf(listOptions.records));
		const body = bodies.take(bytes);
		const close = () => {
			for (const { worker } of threads) worker.postMessage({ forget: body.id });
			listsHere.forget(body.id);
			bodies.giveBack(body);
		};
		try {
			const work = (step) => workApart({
				kind,
				body,
				...step
			}, listOptions);
			return await listBy(work, {
				kind,
				facts: options.facts,
				close
			});
		} catch (error) {
			close();
			throw error;
		}
	}
	const slicesOf = (records) => Math.max(1, Math.ceil(records / sliceLength));
	const stopped = () => new EngineUnavailable("The engine is shutting down.");
	const requireOpen = () => {
		if (closed) throw stopped();
	};
	return {
		evaluate: async (kind, indicators, evaluateOptions) => {
			requireOpen();
			return here.evaluate(kind, indicators, evaluateOptions);
		},
		openList: async (kind, body, listOptions) => {
			requireOpen();
			return isShort(body, listOptions.records, bulkMin) ? here.openList(kind, body, listOptions) : openApart(kind, body, listOptions);
		},
		intelligence: here.intelligence,
		close: async () => {
			closed = true;
			const under = [...waiting.clear(), ...rescued.splice(0)];
			const all = [...threads];
			threads.clear();
			for (const { busy } of all) if (busy) under.push(busy);
			for (const slice of under) slice.reject(stopped());
			await Promise.all(all.map(({ worker }) => worker.terminate()));
		}
	};
}

// src/intelligence.ts
/** The engine of this process: the current snapshot, followed as new ones are published, the models, and threads. */
async function openIntelligence(options) {
	const { logger, threads, clock, facts } = options;
	const holder = await openSnapshotHolder({
		...options,
		onError: (err) => logger.warn({ err }, "the snapshot in use stays")
	});
	holder.onChange(({ info }) => logger.info({ version: info.version }, "snapshot swapped in"));
	const engine = createWorkerEngine({
		snapshots: holder,
		models: loadModels(),
		threads,
		clock,
		facts,
		onCrash: (err) => logger.error({ err }, "a thread that evaluates lists has died")
	});
	return {
		...engine,
		snapshotInfo: () => holder.current().info,
		async close() {
			await holder.close();
			await engine.close();
		}
	};
}

// src/live/fact-writer.ts
/** So few at a time that a charge never waits long for them. */
const ROWS_AT_ONCE = 256;
const WAIT_MS = 250;
/** Beyond that what was seen is kept in memory only. */
const WAITING_MAX = 5e4;
/** Writes facts down a little later, many at a time: nobody waits for it, and a fact that is lost is looked up again. */
function createFactWriter(options) {
	const waiting = /* @__PURE__ */ new Map();
	let timer;
	let writing;
	let closed = false;
	function schedule() {
		if (timer || writing || closed || waiting.size === 0) return;
		timer = setTimeout(() => void flush(), WAIT_MS);
		timer.unref();
	}
	/** Writes all that waits now. */
	async function flush() {
		clearTimeout(timer);
		timer = void 0;
		await writing;
		writing = writeAll().finally(() => {
			writing = void 0;
			schedule();
		});
		await writing;
	}
	async function writeAll() {
		for (let left = waiting.size; left > 0; left -= ROWS_AT_ONCE) {
			const rows = [...take(ROWS_AT_ONCE)];
			try {
				await writeFacts(options.sql, rows);
			} catch (error) {
				options.onTrouble?.(error);
				return;
			}
		}
	}
	function* take(count) {
		for (const [key, row] of waiting) {
			if (count-- === 0) return;
			waiting.delete(key);
			yield row;
		}
	}
	return {
		add(row) {
			if (closed || waiting.size >= WAITING_MAX) return;
			waiting.set(`${row.sort} ${row.name}`, row);
			schedule();
		},
		flush,
		async close() {
			await flush();
			closed = true;
			clearTimeout(timer);
		}
	};
}

// src/live/list-looks.ts
var ListLooks = class {
	#options;
	#waiting = /* @__PURE__ */ new Map();
	#places = /* @__PURE__ */ new Map();
	#count = 0;
	constructor(options) {
		this.#options = options;
	}
	/** Adds questions; `done` is told of each that was looked up. Those that still wait at `dropAt` are dropped. */
	add(questions, { dropAt, done }) {
		if (this.#count + questions.length > this.#options.waitingMax) {
			for (const question of questions) done(question, void 0);
			return;
		}
		this.#count += questions.length;
		for (const [sort, ofSort] of Map.groupBy(questions, ({ sort }) => sort)) {
			const lists = this.#waiting.get(sort) ?? [];
			lists.push({
				questions: ofSort,
				next: 0,
				dropAt,
				done
			});
			this.#waiting.set(sort, lists);
			this.#fill(sort);
		}
	}
	/** Drops all that waits. */
	clear() {
		for (const list of [...this.#waiting.values()].flat()) for (const question of list.questions.slice(list.next)) list.done(question, void 0);
		this.#waiting.clear();
		this.#count = 0;
	}
	#fill(sort) {
		const { window, underWayMax, slowMs, look } = this.#options;
		const places = this.#places.get(sort) ?? {
			taken: 0,
			underWay: 0
		};
		this.#places.set(sort, places);
		while (places.taken < window && places.underWay < underWayMax) {
			const next = this.#take(sort);
			if (!next) return;
			places.taken++;
			places.underWay++;
			let holdsPlace = true;
			const giveUpPlace = () => {
				if (holdsPlace) places.taken--;
				holdsPlace = false;
				this.#fill(sort);
			};
			const timer = setTimeout(giveUpPlace, slowMs);
			timer.unref();
			look(next.question).then((found) => {
				clearTimeout(timer);
				next.done(next.question, found);
				places.underWay--;
				giveUpPlace();
			});
		}
	}
	/** The next question of the list whose turn it is. */
	#take(sort) {
		const lists = this.#waiting.get(sort);
		for (let list = lists?.shift(); list; list = lists?.shift()) {
			const late = this.#options.ticks() >= list.dropAt;
			const question = late ? void 0 : list.questions[list.next++];
			this.#count -= late ? list.questions.length - list.next : question ? 1 : 0;
			if (!question) continue;
			lists?.push(list);
			return {
				question,
				done: list.done
			};
		}
	}
};

// src/live/live.ts
/** Some 300 bytes each. */
const ENTRIES_MAX = 6e4;
const ASSEMBLED_MAX = 8192;
const LOOK_AGAIN_MS = MINUTE_MS;
/** So few names at a time that other requests are answered between them. */
const NAMES_PER_TURN = 250;
const READ_AT_ONCE = 256;
/** Of each sort. Measured with a resolver that takes 20 ms: fewer leave it idle, more see fewer names whole in time. */
const LIST_WINDOW = 100;
/** A look that takes longer gives its place to the next: lists of bad names are full of names whose servers are silent. */
const LIST_SLOW_MS = 250;
const LIST_UNDER_WAY_MAX = 400;
const LIST_QUESTIONS_MAX = 2e5;
/** For each name, as measured. */
const HANDED_OVER_MS = .07;
/** For so long after its budget a list is looked up for the next one who asks. */
const LOOKED_UP_AFTER_MS = MINUTE_MS;
const MISSES_TO_TURN_OFF = 2;
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;
const OFF$1 = {
	status: "off",
	facts: {}
};
const keyOf = ({ sort, name }) => `${sort} ${name}`;
function createLive(options) {
	const { observers, sql, clock, metrics } = options;
	const memory = new Recent(options.entriesMax ?? ENTRIES_MAX);
	const assembled = new Recent(ASSEMBLED_MAX);
	const underWay = /* @__PURE__ */ new Map();
	const writer = createFactWriter({
		sql,
		onTrouble: options.onTrouble
	});
	const listLooks = new ListLooks({
		look: (question) => look(question, false),
		window: LIST_WINDOW,
		slowMs: LIST_SLOW_MS,
		underWayMax: LIST_UNDER_WAY_MAX,
		waitingMax: LIST_QUESTIONS_MAX,
		ticks: () => clock.ticks()
	});
	let on = options.mode === "on";
	let misses = 0;
	let closed = false;
	/** What is remembered of this and still counts. */
	function remembered(key) {
		const entry = memory.get(key);
		return entry !== void 0 && counts(entry) ? entry : void 0;
	}
	function counts(entry) {
		return "text" in entry ? isCurrent(entry) : entry.until > clock.ticks();
	}
	/** What was seen by a clock that was ahead is looked up again once that is right. */
	function isCurrent({ seenMs, expiresMs }) {
		const nowMs = clock.now();
		return expiresMs > nowMs && seenMs <= nowMs + CLOCK_TOLERANCE_MS;
	}
	function keep({ sort, name, value, seenMs, expiresMs }, from) {
		const known = {
			text: value,
			seenMs,
			expiresMs,
			from
		};
		memory.set(keyOf({
			sort,
			name
		}), known);
		return known;
	}
	/** Asks the observer unless somebody has. */
	function look(question, urgent) {
		const key = keyOf(question);
		const already = underWay.get(key);
		if (already && (already.urgent || !urgent)) return already.done;
		const known = remembered(key);
		if (known !== void 0 || closed) return Promise.resolve(known);
		const done = observe(question, urgent).finally(() => {
			if (underWay.get(key)?.done === done) underWay.delete(key);
		});
		underWay.set(key, {
			urgent,
			done
		});
		return done;
	}
	async function observe({ sort, name }, urgent) {
		const begun = clock.ticks();
		const seen = await observers.observe(sort, name, { urgent });
		metrics?.observeLook(sort, seen.outcome, (clock.ticks() - begun) / SECOND_MS);
		if (closed) return void 0;
		if (seen.outcome === "failed") {
			const known = remembered(keyOf({
				sort,
				name
			}));
			if (known && "text" in known) return known;
			const failed = { until: clock.ticks() + seen.retryMs };
			memory.set(keyOf({
				sort,
				name
			}), failed);
			return failed;
		}
		const seenMs = clock.now();
		const row = {
			sort,
			name,
			value: `{"seenMs":${seenMs},${seen.value.slice(1)}`,
			seenMs,
			expiresMs: seenMs + seen.keepMs
		};
		writer.add(row);
		return keep(row, "network");
	}
	async function readKnown(questions) {
		try {
			return await readFacts(sql, questions, clock.now());
		} catch (error) {
			options.onTrouble?.(error);
			return [];
		}
	}
	/** Finds out what is not remembered about one indicator, from the database first. */
	async function findOut(questions) {
		const unasked = questions.filter((question) => !underWay.has(keyOf(question)));
		for (const row of await readKnown(unasked)) keep(row, "database");
		await Promise.all(questions.map((question) => look(question, true)));
	}
	function assemble(place, questions, missing) {
		const tally = new Tally();
		const facts = {};
		let isComplete = true;
		let expiresMs = Number.POSITIVE_INFINITY;
		for (const question of questions) {
			const key = keyOf(question);
			const entry = remembered(key);
			tally.add(question.sort, foundIn(entry, missing.has(key)));
			const value = entry && "text" in entry ? parsed(entry.text) : void 0;
			if (value === void 0) isComplete = false;
			else facts[question.sort] = value;
			if (entry && "text" in entry) expiresMs = Math.min(expiresMs, entry.expiresMs);
		}
		tally.tell(metrics);
		const found = {
			status: isComplete ? "complete" : "partial",
			facts
		};
		const sorts = questions.map(({ sort }) => sort);
		if (isComplete) assembled.set(place, {
			found,
			sorts,
			seenMs: clock.now(),
			expiresMs
		});
		return found;
	}
	async function lookAgain() {
		if (options.mode !== "auto" || closed) return;
		const answers = await observers.answers();
		misses = answers ? 0 : misses + 1;
		const now = answers || on && misses < MISSES_TO_TURN_OFF;
		if (now === on || closed) return;
		on = now;
		options.onSwitch?.(on);
	}
	const timer = options.mode === "auto" ? setInterval(() => void lookAgain(), LOOK_AGAIN_MS) : void 0;
	timer?.unref();
	lookAgain();
	return {
		isOn: () => on,
		lookAgain,
		about(kind, name) {
			if (!on) return OFF$1;
			const place = `${kind === "ip" ? "ip" : "domain"} ${name}`;
			const ready = assembled.get(place);
			if (ready && isCurrent(ready)) {
				if (metrics) for (const sort of ready.sorts) metrics.countWanted(sort, "memory", 1);
				return ready.found;
			}
			const questions = questionsAbout(kind, name, observers.sorts);
			if (questions.length === 0) return OFF$1;
			const missing = questions.filter((question) => remembered(keyOf(question)) === void 0);
			const keys = new Set(missing.map(keyOf));
			if (missing.length === 0) return assemble(place, questions, keys);
			return within(options.budgetMs, findOut(missing)).then(() => assemble(place, questions, keys));
		},
		async aboutAll(kind, names) {
			if (!on) return {
				status: "off",
				facts: []
			};
			const reservedMs = Math.min(options.bulkBudgetMs / 2, names.length * HANDED_OVER_MS);
			const deadline = clock.ticks() + options.bulkBudgetMs - reservedMs;
			const wanted = /* @__PURE__ */ new Map();
			const missing = /* @__PURE__ */ new Map();
			const known = /* @__PURE__ */ new Map();
			for (const name of names) {
				if (wanted.has(name)) continue;
				if (wanted.size % NAMES_PER_TURN === 249) await setImmediate$1();
				const questions = questionsAbout(kind, name, observers.sorts);
				wanted.set(name, questions);
				for (const question of questions) {
					const key = keyOf(question);
					const entry = remembered(key);
					if (entry === void 0) missing.set(key, question);
					else if ("text" in entry) known.set(key, entry);
				}
			}
			if (missing.size > 0) await findOutForList(missing, known, deadline);
			const tally = new Tally();
			const texts = /* @__PURE__ */ new Map();
			let asked = 0;
			let found = 0;
			for (const [name, questions] of wanted) {
				if (texts.size % NAMES_PER_TURN === 249) await setImmediate$1();
				const parts = [];
				for (const question of questions) {
					const key = keyOf(question);
					const entry = known.get(key) ?? remembered(key);
					tally.add(question.sort, foundIn(entry, missing.has(key)));
					if (entry && "text" in entry) parts.push(`"${question.sort}":${entry.text}`);
				}
				asked += questions.length;
				found += parts.length;
				texts.set(name, `{${parts.join(",")}}`);
			}
			tally.tell(metrics);
			return {
				status: asked === 0 ? "off" : found === asked ? "complete" : "partial",
				facts: names.map((name) => texts.get(name) ?? "{}")
			};
		},
		flush: () => writer.flush(),
		async close() {
			closed = true;
			on = false;
			clearInterval(timer);
			listLooks.clear();
			await observers.close();
			await writer.close();
		}
	};
	/** Fills `known` until the deadline, a batch at a time: from the database, then by looking. */
	async function findOutForList(missing, known, deadline) {
		const all = [...missing.values()];
		const { promise: complete, resolve } = Promise.withResolvers();
		let left = all.length;
		let over = false;
		const done = (question, entry) => {
			if (over) return;
			if (entry && "text" in entry) known.set(keyOf(question), entry);
			if (--left === 0) resolve();
		};
		const begin = async () => {
			for (let at = 0; at < all.length && clock.ticks() < deadline && !closed; at += READ_AT_ONCE) {
				const batch = all.slice(at, at + READ_AT_ONCE);
				for (const row of await readKnown(batch)) known.set(keyOf(row), keep(row, "database"));
				const unknown = [];
				for (const question of batch) {
					const entry = known.get(keyOf(question)) ?? remembered(keyOf(question));
					if (entry === void 0) unknown.push(question);
					else done(question, entry);
				}
				listLooks.add(unknown, {
					dropAt: deadline + LOOKED_UP_AFTER_MS,
					done
				});
				await setImmediate$1();
			}
			await complete;
		};
		await within(Math.max(0, deadline - clock.ticks()), begin());
		over = true;
	}
}
/** Resolves when `work` is done or the time is over. */
async function within(budgetMs, work) {
	let timer;
	const spent = new Promise((resolve) => {
		timer = setTimeout(resolve, budgetMs);
	});
	await Promise.race([work, spent]);
	clearTimeout(timer);
}
function foundIn(entry, hadToBeFound) {
	if (entry === void 0) return "late";
	if (!("text" in entry)) return "failed";
	return hadToBeFound ? entry.from : "memory";
}
/** Undefined for what is no JSON: a row that somebody edited must not fail a check. */
function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
/** Counts before it tells: a list wants tens of thousands of facts. */
var Tally = class {
	#counts = /* @__PURE__ */ new Map();
	add(sort, found) {
		const counts = this.#counts.get(sort) ?? /* @__PURE__ */ new Map();
		counts.set(found, (counts.get(found) ?? 0) + 1);
		this.#counts.set(sort, counts);
	}
	tell(metrics) {
		for (const [sort, counts] of this.#counts) for (const [found, count] of counts) metrics?.countWanted(sort, found, count);
	}
};

// src/live/threaded-observers.ts
/**
* Observers on a thread of their own: a list of 10,000 names means tens of thousands of packets, which must not take the
* serving thread's time. Questions and answers travel many to a message.
*
* A thread that dies fails the questions it had; the next question starts another, at most one a second.
*/
const DIED = {
	outcome: "failed",
	why: "the thread that looks things up died",
	retryMs: SECOND_MS
};
const RESTART_MS = SECOND_MS;
function createThreadedObservers(settings, options) {
	const program = options.program ?? new URL("./observer-thread.js", new URL("../live/threaded-observers.js", import.meta.url).href);
	const questions = /* @__PURE__ */ new Map();
	const asks = /* @__PURE__ */ new Map();
	let unsent = [];
	let worker;
	let bootstrap;
	let nextId = 1;
	let diedAt = Number.NEGATIVE_INFINITY;
	let closed = false;
	function thread() {
		if (worker || closed || performance.now() - diedAt < RESTART_MS) return worker;
		const started = startWorker();
		if (!started) return void 0;
		worker = started;
		started.on("message", receive);
		started.on("error", options.onCrash);
		started.on("exit", () => lost(started));
		started.unref();
		if (bootstrap !== void 0) send(started, { bootstrap });
		return started;
	}
	/** A machine may have no thread left to give. */
	function startWorker() {
		try {
			return new Worker(program, { workerData: settings });
		} catch (error) {
			diedAt = performance.now();
			options.onCrash(error);
			return;
		}
	}
	function send(to, message) {
		to.postMessage(message);
	}
	function receive(message) {
		if ("says" in message) {
			asks.get(message.id)?.(message.says);
			asks.delete(message.id);
			return;
		}
		for (const [id, observation] of message.answers) {
			questions.get(id)?.(observation);
			questions.delete(id);
		}
	}
	function lost(gone) {
		if (worker !== gone) return;
		worker = void 0;
		diedAt = performance.now();
		failAll();
	}
	function failAll() {
		const resolvers = [...questions.values()];
		questions.clear();
		for (const resolve of resolvers) resolve(DIED);
		const waiting = [...asks.values()];
		asks.clear();
		for (const resolve of waiting) resolve(void 0);
	}
	function sendUnsent() {
		const batch = unsent;
		unsent = [];
		const to = thread();
		if (to) send(to, { questions: batch });
		else failAll();
	}
	function ask(what) {
		const to = thread();
		if (!to) return Promise.resolve(void 0);
		const id = nextId++;
		return new Promise((resolve) => {
			asks.set(id, resolve);
			send(to, {
				asks: what,
				id
			});
		});
	}
	thread();
	return {
		sorts: new Set(settings.sorts),
		observe(sort, name, { urgent }) {
			if (closed) return Promise.resolve(DIED);
			const id = nextId++;
			return new Promise((resolve) => {
				questions.set(id, resolve);
				unsent.push([
					id,
					sort,
					name,
					urgent
				]);
				if (unsent.length === 1) queueMicrotask(sendUnsent);
			});
		},
		answers: async () => await ask("answers") === true,
		async servers() {
			const says = await ask("servers");
			return typeof says === "object" ? says : [];
		},
		useBootstrap(text) {
			bootstrap = text;
			if (worker) send(worker, { bootstrap: text });
		},
		async close() {
			closed = true;
			const last = worker;
			worker = void 0;
			await last?.terminate();
			failAll();
		}
	};
}

// src/live/open.ts
/** Look-ups as a running node has them; undefined where they are off. */
function openLive(settings, { sql, clock, logger, metrics }) {
	const { mode, sorts } = settings;
	if (mode === "off" || sorts.length === 0) return void 0;
	const observers = createThreadedObservers(settings, { onCrash: (err) => logger.error({ err }, "the thread that looks facts up has died") });
	let quietUntil = Number.NEGATIVE_INFINITY;
	const live = createLive({
		...settings,
		observers,
		sql,
		clock,
		metrics,
		onSwitch: (on) => logger.info(on ? ON : OFF),
		onTrouble(err) {
			if (clock.ticks() < quietUntil) return;
			quietUntil = clock.ticks() + MINUTE_MS;
			logger.warn({ err }, "facts could not be read from or written to the database");
		}
	});
	const readList = async () => {
		const list = await readBootstrap(sql, clock.now()).catch(() => void 0);
		if (list) observers.useBootstrap(list.text);
	};
	const timer = setInterval(() => void readList(), HOUR_MS);
	timer.unref();
	readList();
	return {
		...live,
		servers: observers.servers,
		close() {
			clearInterval(timer);
			return live.close();
		}
	};
}
const ON = "Live look-ups are on: a resolver answers.";
const OFF = "Live look-ups are off: no resolver answers. Answers come from the intelligence at hand; ASSAY_LIVE=off stops the look every minute.";

// src/ops/metrics.ts
function createMetrics(sources) {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	const requests = new Histogram({
		name: "assay_http_request_seconds",
		help: "Time to answer a request, by route and status",
		labelNames: [
			"method",
			"route",
			"status"
		],
		buckets: [
			.001,
			.0025,
			.005,
			.01,
			.025,
			.05,
			.1,
			.25,
			.5,
			1,
			2.5,
			10
		],
		registers: [registry]
	});
	const charges = new Counter({
		name: "assay_charged_units_total",
		help: "Units by how they were paid for",
		labelNames: ["outcome"],
		registers: [registry]
	});
	new Gauge({
		name: "assay_snapshot_age_seconds",
		help: "Age of the intelligence in use",
		registers: [registry],
		async collect() {
			const seconds = await sources.snapshotAgeSeconds();
			this.set(seconds ?? NaN);
		}
	});
	new Gauge({
		name: "assay_ready",
		help: "1 when this node answers requests",
		registers: [registry],
		async collect() {
			this.set(await sources.isReady() ? 1 : 0);
		}
	});
	let linesCounted = 0;
	new Counter({
		name: "assay_log_lines_dropped_total",
		help: "Log lines that could not be written",
		registers: [registry],
		collect() {
			const lines = sources.logLinesDropped();
			this.inc(lines - linesCounted);
			linesCounted = lines;
		}
	});
	new Gauge({
		name: "assay_clock_offset_seconds",
		help: "How far this machine's clock is ahead of the service's time; behind when negative",
		registers: [registry],
		collect() {
			this.set(sources.clockOffsetSeconds());
		}
	});
	const wanted = /* @__PURE__ */ new Map();
	new Counter({
		name: "assay_live_facts_total",
		help: "Facts that checks wanted, by sort and by where they were found",
		labelNames: ["sort", "found"],
		registers: [registry],
		collect() {
			this.reset();
			for (const [sort, counts] of wanted) for (const [found, count] of counts) this.inc({
				sort,
				found
			}, count);
		}
	});
	const looks = new Histogram({
		name: "assay_live_look_seconds",
		help: "Time an observer took to look, waiting for its turn included",
		labelNames: ["sort", "outcome"],
		buckets: [
			.005,
			.01,
			.025,
			.05,
			.1,
			.25,
			.5,
			1,
			2.5,
			5
		],
		registers: [registry]
	});
	new Gauge({
		name: "assay_live_servers_closed",
		help: "Servers that are not asked for facts at the moment, because they failed or said so",
		registers: [registry],
		async collect() {
			this.set((await sources.liveServers()).filter(({ closedMs }) => closedMs > 0).length);
		}
	});
	return {
		registry,
		observeRequest(labels, seconds) {
			requests.observe(labels, seconds);
		},
		countCharge(outcome, units) {
			charges.inc({ outcome }, units);
		},
		live: {
			countWanted(sort, found, count) {
				const counts = wanted.get(sort) ?? /* @__PURE__ */ new Map();
				counts.set(found, (counts.get(found) ?? 0) + count);
				wanted.set(sort, counts);
			},
			observeLook(sort, outcome, seconds) {
				looks.observe({
					sort,
					outcome
				}, seconds);
			}
		}
	};
}
async function serveMetrics(metrics, { host, port }) {
	const server = createServer((request, response) => {
		if (request.url !== "/metrics" || request.method !== "GET" && request.method !== "HEAD") {
			response.writeHead(404).end();
			return;
		}
		metrics.registry.metrics().then((text) => response.writeHead(200, { "content-type": metrics.registry.contentType }).end(text), () => response.writeHead(500).end());
	});
	await new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen({
			host,
			port
		}, () => {
			server.off("error", reject);
			resolve();
		});
	});
	const address = server.address();
	return {
		port: typeof address === "object" && address ? address.port : port,
		close: () => new Promise((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		})
	};
}

// src/risk/engine-server.ts
/** What `assayd engine` serves: the same evaluation, for API nodes that hold the shared token. Nothing is billed here. */
function createEngineServer(deps) {
	const app = Fastify({
		loggerInstance: deps.logger,
		logController: new LogController({ disableRequestLogging: true }),
		bodyLimit: BULK_BODY_BYTES_MAX
	});
	const expected = Buffer.from(sha256Hex(`Bearer ${deps.token}`));
	app.get("/livez", () => ({ status: "live" }));
	app.get("/readyz", async (_request, reply) => {
		const intelligence = await deps.engine.intelligence();
		return reply.code(intelligence ? 200 : 503).send({
			status: intelligence ? "ready" : "not ready",
			intelligence
		});
	});
	app.register(async (guarded) => {
		guarded.addHook("onRequest", async (request, reply) => {
			const offered = Buffer.from(sha256Hex(request.headers.authorization ?? ""));
			if (!timingSafeEqual(offered, expected)) await reply.code(401).send({ error: "the shared token is wrong" });
		});
		guarded.get("/v1/intelligence", async (_request, reply) => {
			return await deps.engine.intelligence() ?? reply.code(503).send({ error: "no intelligence is loaded" });
		});
		guarded.setErrorHandler((error, request, reply) => {
			if (error instanceof EngineBusy) {
				const { of: busy, recordsMax, message } = error;
				return reply.code(busy === "organisation" ? 429 : 503).send({
					error: message,
					busy,
					recordsMax
				});
			}
			if (error instanceof Problem) return reply.code(error.status).send({ problem: error.plain() });
			if (error instanceof EngineUnavailable) return reply.code(503).header("retry-after", String(error.retryAfterSeconds)).send({ error: error.message });
			const status = error.statusCode ?? 500;
			if (status >= 500) request.log.error({
				request_id: request.id,
				err: error
			}, "the engine failed");
			return reply.code(status).send({ error: status >= 500 ? "the engine failed" : error.message });
		});
		guarded.post("/v1/evaluate", { schema: { body: EVALUATE_BODY } }, async (request, reply) => {
			const { kind, indicators, explain, look_up: lookUp } = request.body;
			const parsed = [];
			for (const [i, text] of indicators.entries()) {
				const one = parseIndicator(kind, text);
				if (isProblem(one)) return reply.code(422).send({ error: `indicator ${i} is not in normal form` });
				parsed.push(one);
			}
			return deps.engine.evaluate(kind, parsed, {
				explain,
				lookUp
			});
		});
		guarded.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
		guarded.post("/v1/read-list", { schema: { querystring: LIST_QUERY } }, (request) => withList(deps.engine, request, async ({ length, invalid }) => ({
			length,
			invalid: invalid ?? null
		})));
		guarded.post("/v1/evaluate-list", { schema: { querystring: LIST_QUERY } }, (request, reply) => withList(deps.engine, request, async (list) => {
			const { results, ...background } = await list.evaluate({ explain: request.query.explain });
			const { before, after } = resultsFrame(list.length, background);
			return reply.header("content-type", "application/json; charset=utf-8").send(`${before}${results}${after}`);
		}));
	});
	return app;
}
const EVALUATE_BODY = {
	type: "object",
	required: [
		"kind",
		"indicators",
		"explain"
	],
	additionalProperties: false,
	properties: {
		kind: {
			type: "string",
			enum: KIND_NAMES
		},
		indicators: {
			type: "array",
			minItems: 1,
			maxItems: 100,
			items: { type: "string" }
		},
		explain: { type: "boolean" },
		look_up: {
			type: "boolean",
			default: true
		}
	}
};
const LIST_QUERY = {
	type: "object",
	required: [
		"kind",
		"organisation",
		"records"
	],
	additionalProperties: false,
	properties: {
		kind: {
			type: "string",
			enum: KIND_NAMES
		},
		organisation: {
			type: "string",
			minLength: 1,
			maxLength: 64
		},
		records: {
			type: "integer",
			minimum: 0
		},
		explain: {
			type: "boolean",
			default: false
		}
	}
};
async function withList(engine, { query, body }, use) {
	const { kind, organisation, records } = query;
	if (!(body instanceof Buffer)) throw new Problem("unsupported_media_type");
	const list = await engine.openList(kind, body, {
		organisationId: organisation,
		records
	});
	try {
		return await use(list);
	} finally {
		list.close();
	}
}

// src/serve.ts
async function startNode(config, logger) {
	refuseWeakSecret(config);
	const closers = [];
	const closeAll = async () => {
		for (const close of closers.splice(0).reverse()) await close();
	};
	try {
		if (trustsAnybody(config.ASSAY_TRUST_PROXY)) logger.warn("ASSAY_TRUST_PROXY believes anybody: every client can choose its address. Name your proxies instead.");
		const plans = loadPlans(config.ASSAY_PLANS_FILE);
		const sql = await openConfigured(config, (text) => logger.warn(text));
		closers.push(() => sql.close());
		const { applied } = await migrate(sql);
		if (applied.length > 0) logger.info({
			applied,
			engine: sql.engine
		}, "database migrated");
		const time = await openServiceTime(sql);
		const { clock } = time;
		const looking = time.keepLooking({
			trouble: ({ message, ...figures }) => logger.warn(figures, message),
			failure: (err) => logger.warn({ err }, "the time could not be looked up; it goes on by the last look")
		});
		closers.push(() => looking.close());
		await refuseUnknownPlans(sql, plans);
		const settings = settingsOf(config);
		refuseUnknownSignUpPlans(settings, plans);
		const ring = await openConfiguredRing(config, {
			sql,
			clock,
			onTrouble: (err) => logger.warn({ err }, "the sealing keys could not be read again")
		});
		closers.push(() => ring.close());
		let app;
		const metrics = createMetrics({
			async snapshotAgeSeconds() {
				const info = await engine.intelligence();
				return info && (clock.now() - Date.parse(info.built_at)) / 1e3;
			},
			isReady: async () => await app?.isReady() ?? false,
			logLinesDropped,
			clockOffsetSeconds: () => time.machineAheadMs() / SECOND_MS,
			liveServers: async () => await live?.servers() ?? []
		});
		const live = config.ASSAY_ENGINE_URL ? void 0 : openLive(liveSettingsOf(config), {
			sql,
			clock,
			logger,
			metrics: metrics.live
		});
		closers.push(async () => live?.close());
		const engine = await openEngine(config, {
			sql,
			clock,
			facts: live
		}, logger);
		closers.push(() => engine.close());
		const payments = await openPayments(config);
		const rules = {
			plans,
			settings,
			provider: payments.name
		};
		const uncertain = keepUncertainCharges({
			folder: join(config.ASSAY_DATA_DIR, "refunds-owed"),
			refund: (charge) => changeIn(sql, clock, (tx) => refundCharge(tx, rules, charge)),
			logger
		});
		closers.push(() => uncertain.close());
		const storeWrites = watchStoreWrites(sql);
		const meter = createMeter({
			sql,
			clock,
			rules,
			uncertain,
			seal: keptAnswers(ring),
			onOutcome(outcome, units) {
				metrics.countCharge(outcome, units);
				if (outcome !== "refused" && outcome !== "replayed") storeWrites.wrote();
			}
		});
		closers.push(() => meter.close());
		app = await createApp({
			sql,
			engine,
			meter,
			plans,
			settings,
			clock,
			logger,
			metrics,
			storeWrites,
			snapshotInfo: engine.snapshotInfo,
			feedKeys: config.feedKeys,
			baseUrl: config.baseUrl,
			trustProxy: config.ASSAY_TRUST_PROXY,
			ring,
			oauth: { lifetimes: lifetimesOf(config) },
			payments
		});
		const running = app;
		closers.push(() => running.close());
		closers.push(await startJobs(config, {
			...rules,
			sql,
			clock,
			payments,
			ring
		}, running, logger));
		const demo = config.production ? void 0 : await makeDemo({
			...rules,
			sql,
			clock
		});
		await openMetrics(config, metrics, logger, closers);
		await running.http.listen({
			host: config.HOST,
			port: config.PORT
		});
		const keepMemory = giveStartMemoryBack();
		closers.push(async () => keepMemory());
		const address = running.http.server.address();
		const port = typeof address === "object" && address ? address.port : config.PORT;
		return {
			url: `http://${config.HOST.includes(":") ? `[${config.HOST}]` : config.HOST}:${port}`,
			demo,
			async stop() {
				await running.drain(config.ASSAY_SHUTDOWN_GRACE_MS, config.shutdownDelayMs);
				await closeAll();
			}
		};
	} catch (error) {
		await closeAll();
		throw error;
	}
}
async function openPayments(config) {
	const { ASSAY_STRIPE_SECRET_KEY: secretKey, ASSAY_STRIPE_WEBHOOK_SECRET: webhookSecret } = config;
	if (!secretKey || !webhookSecret) return invoiceProvider;
	const { createStripeProvider } = await import("./stripe-Bi2C1N0P.js");
	return createStripeProvider({
		secretKey,
		webhookSecret,
		apiBase: config.ASSAY_STRIPE_API_BASE
	});
}
async function openEngine(config, { sql, clock, facts }, logger) {
	if (config.ASSAY_ENGINE_URL) {
		const { createRemoteEngine } = await import("./remote-C3M6jODW.js");
		return createRemoteEngine({
			url: config.ASSAY_ENGINE_URL,
			token: config.ASSAY_ENGINE_TOKEN ?? "",
			timeoutMs: config.ASSAY_ENGINE_TIMEOUT_MS,
			lookUpMs: {
				single: config.ASSAY_LIVE_BUDGET_MS,
				bulk: config.ASSAY_LIVE_BULK_BUDGET_MS
			}
		});
	}
	return openIntelligence({
		sql,
		dataDir: config.ASSAY_DATA_DIR,
		threads: config.ASSAY_ENGINE_THREADS,
		clock,
		logger,
		facts
	});
}
/** Work that goes on by itself, on one node at a time. */
async function startJobs(config, billing, app, logger) {
	const { sql, clock, ring } = billing;
	const jobs = [
		{
			name: "purge",
			periodMs: 10 * MINUTE_MS,
			async run() {
				const answers = await purgeStoredResponses(sql, clock.now());
				const tokens = await app.purgeTokens();
				const messages = await purgePaymentEvents(sql, clock.now());
				logger.info({
					answers,
					tokens,
					messages
				}, "what has expired is deleted");
			}
		},
		purgeFactsJob(sql, clock),
		createBillingJob({
			...billing,
			onError: (about, err) => logger.error({
				about,
				err
			}, "billing could not be brought up to date")
		}),
		createAnchorJob({
			sql,
			clock,
			ring,
			anchorsFile: anchorsFileOf(config),
			logger
		})
	];
	const fetcher = createFetcher();
	if (config.refreshFeeds && config.live !== "off" && config.ASSAY_LIVE_RDAP === "on" && !config.ASSAY_RDAP_URL) {
		const onRefused = (problem) => logger.debug({ problem }, "IANA's list of registries was not refreshed; the last one stays");
		jobs.push(createBootstrapJob({
			sql,
			clock,
			onRefused
		}));
	}
	if (config.refreshFeeds) jobs.push(feedRefreshJob({
		sql,
		clock,
		fetcher,
		dataDir: config.ASSAY_DATA_DIR,
		keys: config.feedKeys,
		catalogue: readCatalogue(config.ASSAY_FEEDS_FILE),
		onOutcome: (outcome) => {
			if (outcome.status === "failed" || outcome.status === "held") logger.warn({ feed: outcome }, "feed not refreshed");
			else logger.debug({ feed: outcome }, "feed refreshed");
		},
		onOffline: (offline) => offline ? logger.warn(OFFLINE) : logger.info("Feeds can be reached again.")
	}));
	const runner = createJobRunner({
		sql,
		jobs,
		onError: (job, err) => logger.error({
			job,
			err
		}, "a job failed")
	});
	runner.start();
	return async () => {
		await runner.stop();
		await fetcher.close();
	};
}
/** About 400 bytes each. */
const FACTS_MAX = 3e5;
function purgeFactsJob(sql, clock) {
	return {
		name: "facts",
		periodMs: 10 * MINUTE_MS,
		async run() {
			await purgeFacts(sql, clock.now(), FACTS_MAX);
		}
	};
}
const OFFLINE = "No feed can be reached: this server seems to be offline. It answers from the intelligence it has and goes on trying; ASSAY_FEEDS_REFRESH=off stops that.";
/** Only on an empty database: an organisation to try things with. Its key is shown once and kept nowhere. */
function makeDemo(billing) {
	return billing.sql.tryLock("demo", () => makeDemoOnce(billing));
}
async function makeDemoOnce(billing) {
	if ((await organisations.list(billing.sql, {}, {
		order: "id",
		limit: 1
	})).length > 0) return void 0;
	const password = newPassword();
	const email = "demo@example.com";
	const passwordHash = await hashPassword(password);
	const { apiKey } = await changeIn(billing.sql, billing.clock, (tx) => arrangeOrganisation(tx, billing, {
		name: "Demo organisation",
		planId: "growth",
		keyName: "demo key",
		owner: {
			email,
			name: "Demo",
			passwordHash
		}
	}));
	return {
		apiKey,
		email,
		password
	};
}
async function refuseUnknownPlans(sql, plans) {
	const unknown = await findUnknownPlans(sql, plans);
	if (unknown.length > 0) throw new ConfigError([`ASSAY_PLANS_FILE: organisations are on the plan ${unknown.join(", ")}, which the file lacks. Put it back, or move them first.`]);
}
async function openMetrics(config, metrics, logger, closers) {
	if (config.ASSAY_METRICS_PORT === "off") return;
	try {
		const server = await serveMetrics(metrics, {
			host: config.ASSAY_METRICS_HOST,
			port: config.ASSAY_METRICS_PORT
		});
		closers.push(() => server.close());
	} catch (error) {
		const asked = ["ASSAY_METRICS_HOST", "ASSAY_METRICS_PORT"].find((name) => config.explicit.has(name));
		if (asked) throw new ConfigError([`${asked}: port ${config.ASSAY_METRICS_PORT} of ${config.ASSAY_METRICS_HOST} cannot be opened (${error.message}). Choose another, or ASSAY_METRICS_PORT=off.`]);
		logger.warn(`metrics are off: port ${config.ASSAY_METRICS_PORT} is taken`);
	}
}
/** `assayd engine`: evaluation only, for API nodes elsewhere. */
async function startEngine(config, logger) {
	if (!config.ASSAY_ENGINE_TOKEN) throw new ConfigError(["ASSAY_ENGINE_TOKEN: is missing. Example: ASSAY_ENGINE_TOKEN=$(openssl rand -base64 48)"]);
	const sql = await openConfigured(config, (text) => logger.warn(text));
	await migrate(sql);
	const time = await openServiceTime(sql);
	const { clock } = time;
	const looking = time.keepLooking({
		trouble: ({ message, ...figures }) => logger.warn(figures, message),
		failure: (err) => logger.warn({ err }, "the time could not be looked up; it goes on by the last look")
	});
	const live = openLive(liveSettingsOf(config), {
		sql,
		clock,
		logger
	});
	const purge = createJobRunner({
		sql,
		jobs: [purgeFactsJob(sql, clock)],
		onError: (job, err) => logger.error({
			job,
			err
		}, "a job failed")
	});
	purge.start();
	const engine = await openIntelligence({
		sql,
		dataDir: config.ASSAY_DATA_DIR,
		threads: config.ASSAY_ENGINE_THREADS,
		clock,
		logger,
		facts: live
	});
	const app = createEngineServer({
		engine,
		token: config.ASSAY_ENGINE_TOKEN,
		logger
	});
	const stop = async () => {
		await app.close();
		await engine.close();
		await purge.stop();
		await live?.close();
		await looking.close();
		await sql.close();
	};
	try {
		await app.listen({
			host: config.HOST,
			port: config.ASSAY_ENGINE_PORT
		});
		giveStartMemoryBack();
	} catch (error) {
		await stop();
		throw error;
	}
	const address = app.server.address();
	const port = typeof address === "object" && address ? address.port : config.ASSAY_ENGINE_PORT;
	return {
		url: `http://${config.HOST}:${port}`,
		stop
	};
}

export { startEngine, startNode };