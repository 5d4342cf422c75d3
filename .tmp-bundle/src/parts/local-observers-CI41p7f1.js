import { i as SECOND_MS, n as HOUR_MS, o as systemClock, r as MINUTE_MS, t as DAY_MS } from "./clock-Cypo2bh8.js";
import { d as parseIp, i as reservedName, o as compareIp, s as formatIp, t as hostParts } from "./domain-kPPiJw5e.js";
import { i as readCompactText, n as Bootstrap, o as isPublicAddress, r as bundledBootstrap, t as Client } from "./client-CR4fYALI.js";
import { t as readJsonText } from "./json-text-DEWPD8mT.js";
import { createHash } from "node:crypto";
import { connect } from "node:tls";
import { Resolver } from "node:dns/promises";

// src/live/dns/addresses.ts
/**
* Addresses from records in RFC 5952 text, each once. An IPv4 address in IPv6 form is the IPv4 address. They are in
* order, IPv4 first, because servers turn theirs round with every answer.
*/
function normalAddresses(records) {
	const ips = records.flatMap(({ address }) => parseIp(address) ?? []).sort(compareIp);
	return [...new Set(ips.map(formatIp))];
}

// src/live/dns/names.ts
/** Names in DNS records. Strangers write them, and some end up before a reader: only plain host names pass. */
const LABELS = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/;
/** Lower case, without the dot at the end; undefined for what is no host name, the root included. */
function hostName(text) {
	if (text.length > 254) return void 0;
	const name = (text.endsWith(".") ? text.slice(0, -1) : text).toLowerCase();
	return name.length <= 253 && LABELS.test(name) ? name : void 0;
}
/** Whether strangers may make us ask about it: not names of private networks. */
function isPublicName(name) {
	return reservedName(hostParts(name)) === void 0;
}
/** The first `max` different host names among them. */
function hostNames(texts, max) {
	return [...new Set(texts.flatMap((text) => hostName(text) ?? []))].slice(0, max);
}

// src/live/server-gate.ts
/** The server is not to be asked now. */
var ServerClosed = class extends Error {
	retryMs;
	constructor(message, retryMs) {
		super(message);
		this.name = "ServerClosed";
		this.retryMs = retryMs;
	}
};
/** First come, first served. An array's own shift() moves all that follows, which a list of 10,000 names would pay for. */
var Line = class {
	#waiters = [];
	#first = 0;
	get length() {
		return this.#waiters.length - this.#first;
	}
	push(waiter) {
		this.#waiters.push(waiter);
	}
	shift() {
		if (this.length === 0) return void 0;
		const waiter = this.#waiters[this.#first];
		this.#waiters[this.#first++] = void 0;
		if (this.#first >= 1e3 && this.#first * 2 >= this.#waiters.length) {
			this.#waiters = this.#waiters.slice(this.#first);
			this.#first = 0;
		}
		return waiter;
	}
	pop() {
		return this.length === 0 ? void 0 : this.#waiters.pop();
	}
	clear() {
		const waiters = this.#waiters.slice(this.#first);
		this.#waiters = [];
		this.#first = 0;
		return waiters;
	}
};
var ServerGate = class {
	#options;
	#servers = /* @__PURE__ */ new Map();
	constructor(options) {
		this.#options = options;
	}
	/** Asks when it is this question's turn. Rejects with ServerClosed where the server is not to be asked. */
	async ask(name, urgent, question) {
		const server = this.#server(name);
		await this.#turn(server, urgent);
		const answersBefore = server.answers;
		let verdict = "failed";
		try {
			const { verdict: how, answer } = await question();
			verdict = how;
			return answer;
		} finally {
			this.#done(server, verdict, answersBefore);
		}
	}
	/** The server answered a question that was asked past the gate. */
	heard(name) {
		const server = this.#server(name);
		this.#answered(server);
		this.#next(server);
	}
	state() {
		const now = this.#options.clock.ticks();
		return [...this.#servers].map(([server, { underWay, urgent, others, closedUntil }]) => ({
			server,
			underWay,
			waiting: urgent.length + others.length,
			closedMs: Math.max(0, closedUntil - now)
		}));
	}
	/** Refuses whoever waits. */
	close() {
		for (const server of this.#servers.values()) this.#refuseAll(server, "closed", SECOND_MS);
	}
	#server(name) {
		let server = this.#servers.get(name);
		if (!server) {
			server = {
				underWay: 0,
				answers: 0,
				failures: 0,
				closedUntil: 0,
				probing: false,
				nextAt: 0,
				urgent: new Line(),
				others: new Line(),
				timer: void 0
			};
			this.#servers.set(name, server);
		}
		return server;
	}
	async #turn(server, urgent) {
		const { clock, waitingMax } = this.#options;
		const closedMs = server.closedUntil - clock.ticks();
		if (closedMs > 0) throw new ServerClosed("the server is left alone for a while", closedMs);
		if (server.closedUntil > 0 && server.probing && !urgent) throw new ServerClosed("the server is being tried", SECOND_MS);
		await new Promise((begin, refuse) => {
			(urgent ? server.urgent : server.others).push({
				begin,
				refuse
			});
			this.#next(server);
			if (server.urgent.length + server.others.length > waitingMax) (server.others.pop() ?? server.urgent.pop())?.refuse(new ServerClosed("too many questions wait for the server", SECOND_MS));
		});
	}
	#next(server) {
		const { clock, concurrencyMax, perSecondMax } = this.#options;
		while (server.urgent.length + server.others.length > 0) {
			const probe = server.closedUntil > 0;
			if (server.underWay >= (probe ? 1 : concurrencyMax)) return;
			const now = clock.ticks();
			if (server.nextAt > now) {
				server.timer ??= setTimeout(() => {
					server.timer = void 0;
					this.#next(server);
				}, server.nextAt - now);
				server.timer.unref();
				return;
			}
			server.nextAt = Math.max(server.nextAt, now) + SECOND_MS / perSecondMax;
			server.underWay++;
			server.probing = probe;
			(server.urgent.shift() ?? server.others.shift())?.begin();
		}
	}
	#done(server, verdict, answersBefore) {
		const { clock, failuresToOpen, openMs } = this.#options;
		const now = clock.ticks();
		server.underWay--;
		server.probing = false;
		if (verdict === "answered") this.#answered(server);
		else {
			if (server.answers === answersBefore) server.failures++;
			const leaveMs = verdict === "failed" ? server.failures >= failuresToOpen ? openMs : 0 : verdict.retryAfterMs;
			if (leaveMs > 0) {
				server.closedUntil = Math.max(server.closedUntil, now + leaveMs);
				this.#refuseAll(server, "the server is left alone for a while", server.closedUntil - now);
			}
		}
		this.#next(server);
	}
	#answered(server) {
		server.answers++;
		server.failures = 0;
		if (server.closedUntil <= this.#options.clock.ticks()) server.closedUntil = 0;
	}
	#refuseAll(server, message, retryMs) {
		clearTimeout(server.timer);
		server.timer = void 0;
		for (const waiter of [...server.urgent.clear(), ...server.others.clear()]) waiter?.refuse(new ServerClosed(message, retryMs));
	}
};

// src/live/dns/resolver.ts
/** What was found; nothing for every other sort of answer. */
function recordsOf(answer) {
	return answer.kind === "answer" ? answer.records : [];
}
/** What an observer says when a question it needed failed. */
function notSeen({ why, retryMs }) {
	return {
		outcome: "failed",
		why,
		retryMs
	};
}
const ASK = {
	A: async (resolver, name) => addresses(await resolver.resolve4(name, { ttl: true })),
	AAAA: async (resolver, name) => addresses(await resolver.resolve6(name, { ttl: true })),
	MX: async (resolver, name) => (await resolver.resolveMx(name)).map(({ priority, exchange }) => ({
		preference: priority,
		exchange
	})),
	NS: (resolver, name) => resolver.resolveNs(name),
	SOA: async (resolver, name) => {
		const { nsname, hostmaster, serial, minttl } = await resolver.resolveSoa(name);
		return [{
			primary: nsname,
			contact: hostmaster,
			serial,
			minimumS: minttl
		}];
	},
	TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((strings) => strings.join("")),
	CNAME: (resolver, name) => resolver.resolveCname(name),
	PTR: (resolver, name) => resolver.resolvePtr(name)
};
function addresses(records) {
	return records.map(({ address, ttl }) => ({
		address,
		ttlS: ttl
	}));
}
/** How Node names what came of a question, and what it says about the server. Others are `failed` with Node's own word. */
const FAILURES = {
	ETIMEOUT: {
		why: "timeout",
		verdict: "failed"
	},
	ECONNREFUSED: {
		why: "no DNS server listens there",
		verdict: "failed"
	},
	EREFUSED: {
		why: "REFUSED",
		verdict: "failed"
	},
	ESERVFAIL: {
		why: "SERVFAIL",
		verdict: "answered"
	},
	EFORMERR: {
		why: "FORMERR",
		verdict: "answered"
	},
	ENOTIMP: {
		why: "NOTIMP",
		verdict: "answered"
	},
	EBADRESP: {
		why: "an answer that cannot be read",
		verdict: "answered"
	}
};
/** The least the library waits, and what it makes of any longer time where a server is fast. */
const SHARED_MS = 250;
const FAILURES_TO_OPEN$1 = 5;
const OPEN_MS = 10 * SECOND_MS;
const RETRY_MS$1 = MINUTE_MS;
const CLOSED = {
	kind: "failed",
	why: "the resolver is closed",
	retryMs: SECOND_MS
};
function createDnsResolver(options = {}) {
	const { timeoutMs = 2 * SECOND_MS, concurrencyMax = 200, waitingMax = 1e5, clock = systemClock } = options;
	const gate = new ServerGate({
		concurrencyMax,
		perSecondMax: Number.POSITIVE_INFINITY,
		waitingMax,
		failuresToOpen: FAILURES_TO_OPEN$1,
		openMs: OPEN_MS,
		clock
	});
	const listed = options.servers ?? [];
	let servers = (listed.length > 0 ? listed : systemServers()).map(serverAt);
	const apart = /* @__PURE__ */ new Set();
	let open = true;
	function serverAt(address) {
		return {
			address,
			shared: channel(address, SHARED_MS, timeoutMs),
			sounding: false
		};
	}
	/** The system's servers may change while we run, or come up after us. */
	function followSystem() {
		const now = listed.length > 0 ? listed : systemServers();
		if (now.join() === servers.map(({ address }) => address).join()) return;
		for (const { shared } of servers) shared.cancel();
		servers = now.map(serverAt);
	}
	/** A question over a channel of its own. */
	async function alone({ address }, question) {
		const resolver = channel(address, timeoutMs, timeoutMs);
		apart.add(resolver);
		try {
			return await question(resolver);
		} finally {
			apart.delete(resolver);
			resolver.cancel();
		}
	}
	/**
	* One question to one server, which rejects as Node does. Most are asked over a shared channel: one of its own for each
	* costs four times as much. But a shared channel gives up early, whatever time it is given, where the server has been
	* fast so far; and at bytes it cannot read it ends every question under way. A question that fails there in such a way
	* is asked again alone, within the same time limit.
	*/
	async function put(server, type, name) {
		let timer;
		let expired = false;
		const limit = new Promise((_, reject) => {
			const expire = () => {
				expired = true;
				reject(Object.assign(/* @__PURE__ */ new Error("timeout"), { code: "ETIMEOUT" }));
			};
			timer = setTimeout(() => {
				sound(server);
				timer = setTimeout(expire, timeoutMs / 2);
			}, timeoutMs / 2);
		});
		try {
			return await Promise.race([ASK[type](server.shared, name), limit]);
		} catch (error) {
			const code = codeOf(error);
			if (!open || expired || code !== "ETIMEOUT" && code !== "EBADRESP") throw error;
			return await alone(server, (resolver) => Promise.race([ASK[type](resolver, name), limit]));
		} finally {
			clearTimeout(timer);
		}
	}
	/**
	* Asks the root, which every server knows. A server that is silent about a name may itself be waiting for the name's
	* servers: without this, five names with broken servers would close the resolver for all others.
	*/
	function sound(server) {
		if (server.sounding || !open) return;
		server.sounding = true;
		const heard = () => gate.heard(server.address);
		alone(server, (resolver) => resolver.resolveNs(".")).then(heard, (error) => {
			if (isNegative(codeOf(error))) heard();
		}).finally(() => {
			server.sounding = false;
		});
	}
	async function askServer(server, type, name, urgent) {
		try {
			return await gate.ask(server.address, urgent, async () => {
				try {
					const records = await put(server, type, name);
					return {
						verdict: "answered",
						answer: records.length > 0 ? {
							kind: "answer",
							records
						} : { kind: "none" }
					};
				} catch (error) {
					return read$1(codeOf(error));
				}
			});
		} catch (error) {
			if (!(error instanceof ServerClosed)) throw error;
			return {
				kind: "failed",
				why: error.message,
				retryMs: error.retryMs
			};
		}
	}
	async function ask(type, name, { urgent }) {
		let failure;
		for (const server of servers) {
			if (!open) return CLOSED;
			const answer = await askServer(server, type, name, urgent);
			if (answer.kind !== "failed") return answer;
			failure ??= answer;
		}
		return open ? failure ?? CLOSED : CLOSED;
	}
	return {
		ask,
		answers() {
			followSystem();
			const heard = servers.map((server) => put(server, "NS", ".").catch((error) => {
				if (!isNegative(codeOf(error)) || listed.length === 0) throw error;
			}));
			return Promise.any(heard).then(() => open, () => false);
		},
		state: () => gate.state(),
		close() {
			open = false;
			gate.close();
			for (const resolver of [...servers.map(({ shared }) => shared), ...apart]) resolver.cancel();
		}
	};
}
/** The library waits for `firstMs`; once it has seen the server answer, five times as long as that takes it. */
/** As they are configured now: a new Resolver reads them anew. */
const systemServers = () => new Resolver().getServers();
function channel(address, firstMs, timeoutMs) {
	const resolver = new Resolver({
		timeout: firstMs,
		maxTimeout: timeoutMs,
		tries: 1
	});
	resolver.setServers([address]);
	return resolver;
}
function read$1(code) {
	if (code === "ENODATA") return {
		verdict: "answered",
		answer: { kind: "none" }
	};
	if (code === "ENOTFOUND" || code === "EBADNAME") return {
		verdict: "answered",
		answer: { kind: "no_such_name" }
	};
	const { why, verdict } = FAILURES[code] ?? {
		why: code,
		verdict: "answered"
	};
	return {
		verdict,
		answer: {
			kind: "failed",
			why,
			retryMs: RETRY_MS$1
		}
	};
}
const isNegative = (code) => code === "ENODATA" || code === "ENOTFOUND";
function codeOf(error) {
	return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

// src/live/certificate/certificate.ts
const ADDRESSES_TRIED = 2;
const WAITING_MAX = 1e4;
const NAMES_MAX$2 = 50;
const ISSUER_LENGTH_MAX = 100;
const RETRY_MS = 5 * MINUTE_MS;
/** Somebody is there who wants no TLS, or closes the door. All other errors may be the fault of the way there. */
const TURNED_AWAY = /^(ECONNREFUSED|ECONNRESET|EPIPE|EPROTO|ERR_SSL_.*)$/;
const NOT_ANSWERED = {
	outcome: "seen",
	value: { answered: false },
	keepMs: HOUR_MS
};
/**
* Looks at the certificate a host shows. A certificate that is expired, self-signed or somebody else's is a fact, too:
* none is refused, and nothing is sent over the connection.
*/
function certificateObserver(options) {
	const { resolver, timeoutMs = 3 * SECOND_MS, concurrencyMax = 50, mayContact = isPublicAddress } = options;
	const gate = new ServerGate({
		concurrencyMax,
		perSecondMax: Number.POSITIVE_INFINITY,
		waitingMax: WAITING_MAX,
		failuresToOpen: Number.POSITIVE_INFINITY,
		openMs: 0,
		clock: options.clock ?? systemClock
	});
	async function observe(name, { urgent }) {
		const [four, six] = await Promise.all([resolver.ask("A", name, { urgent }), resolver.ask("AAAA", name, { urgent })]);
		const records = [...recordsOf(four), ...recordsOf(six)];
		const failure = four.kind === "failed" ? four : six.kind === "failed" ? six : void 0;
		if (records.length === 0 && failure) return notSeen(failure);
		const addresses = normalAddresses(records).filter(mayContact);
		if (addresses.length === 0) return NOT_ANSWERED;
		try {
			return await gate.ask("hosts", urgent, async () => ({
				verdict: "answered",
				answer: await look(name, addresses.slice(0, ADDRESSES_TRIED))
			}));
		} catch (error) {
			if (!(error instanceof ServerClosed)) throw error;
			return {
				outcome: "failed",
				why: error.message,
				retryMs: error.retryMs
			};
		}
	}
	/** One address after the other, until one answers. */
	async function look(name, addresses) {
		const limit = AbortSignal.timeout(timeoutMs);
		let failure;
		for (const address of addresses) {
			if (limit.aborted) break;
			const found = await handshake(name, address, limit);
			if (typeof found === "object") return {
				outcome: "seen",
				value: found,
				keepMs: DAY_MS
			};
			if (!TURNED_AWAY.test(found)) failure ??= found;
		}
		return failure === void 0 ? NOT_ANSWERED : {
			outcome: "failed",
			why: failure,
			retryMs: RETRY_MS
		};
	}
	/** What the host shows, or the code of the error. */
	function handshake(name, address, limit) {
		return new Promise((resolve) => {
			const socket = connect({
				host: address,
				port: options.port ?? 443,
				servername: name,
				rejectUnauthorized: false,
				...options.authorities ? { ca: [...options.authorities] } : {}
			});
			const end = (found) => {
				limit.removeEventListener("abort", expire);
				socket.destroy();
				resolve(found);
			};
			const expire = () => end("timeout");
			limit.addEventListener("abort", expire);
			socket.on("secureConnect", () => end(read(socket)));
			socket.on("error", (error) => end("code" in error ? String(error.code) : error.message));
		});
	}
	return {
		sort: "certificate",
		observe
	};
}
function read(socket) {
	const certificate = socket.getPeerCertificate();
	if (!certificate.valid_from) return { answered: false };
	const issuer = issuerOf(certificate);
	return {
		answered: true,
		...issuer === void 0 ? {} : { issuer },
		notBeforeMs: Date.parse(certificate.valid_from),
		notAfterMs: Date.parse(certificate.valid_to),
		names: namesOf(certificate),
		trusted: socket.authorized
	};
}
/** Text from strangers: printable, on one line, and short. */
function issuerOf({ issuer }) {
	const [text] = [issuer?.O, issuer?.CN].flat().filter((name) => typeof name === "string" && name.trim() !== "");
	return text?.replace(/[\p{C}\p{Z}]+/gu, " ").trim().slice(0, ISSUER_LENGTH_MAX) || void 0;
}
function namesOf({ subjectaltname }) {
	const names = (subjectaltname ?? "").split(", ").flatMap((entry) => {
		if (!entry.startsWith("DNS:")) return [];
		const name = entry.slice(4);
		const wild = name.startsWith("*.");
		const host = hostName(wild ? name.slice(2) : name);
		return host === void 0 ? [] : [wild ? `*.${host}` : host];
	});
	return [...new Set(names)].slice(0, NAMES_MAX$2);
}

// src/live/dns/keep.ts
/** How long what the DNS said is kept. */
const KEEP_MS_MIN = 5 * MINUTE_MS;
const KEEP_MS_MAX = DAY_MS;
/** A name that does not exist may be registered any minute, and how long its absence may be kept Node does not tell. */
const KEEP_ABSENT_MS = HOUR_MS / 2;
/** By the shortest of the times the records allow; the least there is where none is known. */
function keepMs$1(ttlsS) {
	if (ttlsS.length === 0) return KEEP_MS_MIN;
	return Math.min(KEEP_MS_MAX, Math.max(KEEP_MS_MIN, Math.min(...ttlsS) * SECOND_MS));
}

// src/live/dns/host.ts
const ADDRESSES_MAX = 32;
/** Resolvers follow 8 to 16. */
const ALIASES_MAX = 12;
/** Looks at the very host: its addresses, and where its CNAME leads when it has none. */
function hostObserver(resolver) {
	async function observe(name, options) {
		const [four, six] = await Promise.all([resolver.ask("A", name, options), resolver.ask("AAAA", name, options)]);
		const records = [...recordsOf(four), ...recordsOf(six)];
		const failure = four.kind === "failed" ? four : six.kind === "failed" ? six : void 0;
		if (records.length > 0) {
			const ttlS = Math.min(...records.map((record) => record.ttlS));
			const all = normalAddresses(records);
			const addresses = all.filter(isPublicAddress);
			return {
				outcome: "seen",
				value: {
					exists: true,
					addresses: addresses.slice(0, ADDRESSES_MAX),
					...addresses.length < all.length ? { notPublic: true } : {},
					aliases: [],
					dangling: false,
					ttlS
				},
				keepMs: keepMs$1(failure ? [] : [ttlS])
			};
		}
		if (failure) return notSeen(failure);
		const chain = await follow(name, options);
		if ("kind" in chain) return notSeen(chain);
		const ended = four.kind === "no_such_name" || six.kind === "no_such_name";
		return {
			outcome: "seen",
			value: {
				exists: !ended || chain.aliases.length > 0,
				addresses: [],
				aliases: chain.aliases,
				dangling: ended && chain.aliases.length > 0
			},
			keepMs: KEEP_ABSENT_MS
		};
	}
	/** The names its CNAMEs lead through, until there is none, one a second time, or one that is not public. */
	async function follow(name, options) {
		const aliases = [];
		for (let at = name; aliases.length < ALIASES_MAX;) {
			const answer = await resolver.ask("CNAME", at, options);
			if (answer.kind === "failed") return answer;
			const target = answer.kind === "answer" ? hostName(answer.records[0] ?? "") : void 0;
			if (target === void 0 || target === name || aliases.includes(target) || !isPublicName(target)) break;
			aliases.push(target);
			at = target;
		}
		return { aliases };
	}
	return {
		sort: "host",
		observe
	};
}

// src/live/dns/reverse.ts
const NAMES_MAX$1 = 8;
/**
* Looks at the names of an address, and whether they lead back to it. Whoever holds the address writes what he likes
* there; that a name leads back is the word of whoever holds the name.
*/
function reverseObserver(resolver) {
	async function observe(address, options) {
		const ip = parseIp(address);
		if (!ip) throw new TypeError(`not an address: ${address}`);
		const pointers = await resolver.ask("PTR", pointerName(ip), options);
		if (pointers.kind === "failed") return notSeen(pointers);
		const names = hostNames(recordsOf(pointers), NAMES_MAX$1);
		if (names.length === 0) return {
			outcome: "seen",
			value: {
				names,
				confirmed: []
			},
			keepMs: KEEP_ABSENT_MS
		};
		const forward = await Promise.all(names.filter(isPublicName).map(async (name) => ({
			name,
			answer: await resolver.ask(ip.version === 4 ? "A" : "AAAA", name, options)
		})));
		const own = formatIp(ip);
		const confirmed = [];
		const ttls = [];
		for (const { name, answer } of forward) {
			ttls.push(...recordsOf(answer).map(({ ttlS }) => ttlS));
			if (normalAddresses(recordsOf(answer)).includes(own)) confirmed.push(name);
		}
		const failure = forward.map(({ answer }) => answer).find((answer) => answer.kind === "failed");
		if (confirmed.length === 0 && failure) return notSeen(failure);
		return {
			outcome: "seen",
			value: {
				names,
				confirmed
			},
			keepMs: keepMs$1(failure ? [] : ttls)
		};
	}
	return {
		sort: "reverse",
		observe
	};
}
/** `1.2.0.192.in-addr.arpa` (RFC 1035 §3.5), or the 32 digits under ip6.arpa (RFC 3596 §2.5). */
function pointerName(ip) {
	if (ip.version === 4) return `${formatIp(ip).split(".").toReversed().join(".")}.in-addr.arpa`;
	return `${[...[
		ip.w0,
		ip.w1,
		ip.w2,
		ip.w3
	].map((word) => word.toString(16).padStart(8, "0")).join("")].toReversed().join(".")}.ip6.arpa`;
}

// src/live/dns/mail-policy.ts
const SPF_RECORD = /^v=spf1( |$)/i;
const MECHANISM = /^([+?~-]?)(all|include:.+|a([:/].+)?|mx([:/].+)?|ptr(:.+)?|ip4:.+|ip6:.+|exists:.+)$/i;
const MODIFIER = /^([a-z][a-z0-9._-]*)=(.*)$/i;
const QUALIFIERS = {
	"": "pass",
	"+": "pass",
	"?": "neutral",
	"~": "softfail",
	"-": "fail"
};
/** What the text records at a name say, or the name whose records say it. */
function readSpf(texts) {
	const records = texts.filter((text) => SPF_RECORD.test(text));
	if (records.length === 0) return "absent";
	if (records.length > 1) return "invalid";
	let all;
	let redirect;
	for (const term of records[0].split(" ").slice(1)) {
		if (term === "") continue;
		const [, qualifier = "", mechanism] = MECHANISM.exec(term) ?? [];
		const [, modifier, value] = MODIFIER.exec(term) ?? [];
		if (mechanism !== void 0) {
			if (mechanism.toLowerCase() === "all") all ??= QUALIFIERS[qualifier];
		} else if (modifier === void 0) return "invalid";
		else if (modifier.toLowerCase() === "redirect") {
			if (redirect !== void 0 || !value) return "invalid";
			redirect = value;
		}
	}
	if (all) return all;
	return redirect === void 0 ? "neutral" : { redirect };
}
/** `invalid` where two records stand there, or one without a policy that is known. */
function readDmarc(texts) {
	const records = texts.map(tagsOf).filter(([first]) => first?.name === "v" && first.value === "dmarc1");
	if (records.length === 0) return "absent";
	const policies = records.flat().filter(({ name }) => name === "p");
	const [policy] = policies;
	if (records.length > 1 || policies.length !== 1) return "invalid";
	const value = policy?.value;
	return value === "none" || value === "quarantine" || value === "reject" ? value : "invalid";
}
/** `v=DMARC1; p=none` taken apart by hand: a pattern with spaces anywhere takes long for a text made of them. */
function tagsOf(text) {
	return text.split(";").map((tag) => {
		const [name = "", ...rest] = tag.split("=");
		return {
			name: name.trim().toLowerCase(),
			value: rest.join("=").trim().toLowerCase()
		};
	});
}

// src/live/dns/parking.ts
/**
* Services that show advertisements or an offer of sale at names nobody uses, by the ending of their name servers. Only
* name servers that do nothing else stand here: those of registrars and hosts, such as registrar-servers.com,
* domaincontrol.com and even dns-parking.com, also serve the names of people who did not choose others.
*/
const PARKING = new Map(Object.entries({
	"sedoparking.com": "Sedo",
	"bodis.com": "Bodis",
	"parkingcrew.net": "ParkingCrew",
	"above.com": "Above.com",
	"abovedomains.com": "Above.com",
	"afternic.com": "Afternic",
	"cashparking.com": "GoDaddy CashParking",
	"smartname.com": "SmartName",
	"namefind.com": "NameFind",
	"dan.com": "Dan.com",
	"undeveloped.com": "Dan.com",
	"parklogic.com": "ParkLogic",
	"uniregistrymarket.link": "Uniregistry Market",
	"internettraffic.com": "InternetTraffic",
	"voodoo.com": "Voodoo",
	"rookdns.com": "Rook Media",
	"dsredirection.com": "DomainSponsor",
	"domainsponsor.com": "DomainSponsor",
	"ztomy.com": "Skenzo",
	"giantpanda.com": "GiantPanda",
	"eftydns.com": "Efty",
	"brandbucket.com": "BrandBucket",
	"buydomains.com": "BuyDomains",
	"hugedomains.com": "HugeDomains",
	"atom.com": "Atom",
	"squadhelp.com": "Atom",
	"ibspark.com": "Internet.bs",
	"pendingrenewaldeletion.com": "Network Solutions (expired)",
	"renewyourname.net": "eNom (expired)",
	"expirenotification.com": "Directi (expired)"
}));
/** The service behind any of the name servers; undefined where it is none we know. */
function parkedBy(nameServers) {
	for (const server of nameServers) {
		const labels = server.split(".");
		for (let i = 0; i < labels.length; i++) {
			const service = PARKING.get(labels.slice(i).join("."));
			if (service !== void 0) return service;
		}
	}
}

// src/live/dns/zone.ts
const NAMES_MAX = 16;
const ABSENT = {
	exists: false,
	mx: [],
	nullMx: false,
	ns: [],
	spf: "absent",
	dmarc: "absent"
};
/** Looks at a registrable name: its mail set-up, its name servers, and whether any name below it resolves. */
function zoneObserver(resolver) {
	async function observe(name, options) {
		const ns = await resolver.ask("NS", name, options);
		if (ns.kind === "failed") return notSeen(ns);
		if (ns.kind === "no_such_name") return {
			outcome: "seen",
			value: ABSENT,
			keepMs: KEEP_ABSENT_MS
		};
		const [mx, txt, dmarc, soa, wild] = await Promise.all([
			resolver.ask("MX", name, options),
			resolver.ask("TXT", name, options),
			resolver.ask("TXT", `_dmarc.${name}`, options),
			resolver.ask("SOA", name, options),
			options.urgent ? resolver.ask("A", `${unlikelyLabel(name)}.${name}`, options) : void 0
		]);
		for (const answer of [
			mx,
			txt,
			dmarc
		]) if (answer.kind === "failed") return notSeen(answer);
		const spf = await spfOf(recordsOf(txt), options);
		if (typeof spf !== "string") return notSeen(spf);
		const [authority] = recordsOf(soa);
		const nameServers = hostNames(recordsOf(ns), NAMES_MAX);
		const parking = parkedBy(nameServers);
		const value = {
			exists: true,
			...mailHosts(recordsOf(mx)),
			ns: nameServers,
			...soaOf(authority),
			spf,
			dmarc: readDmarc(recordsOf(dmarc)),
			...wild === void 0 ? {} : { wildcard: wild.kind === "answer" },
			...parking === void 0 ? {} : { parkedBy: parking }
		};
		const lacking = soa.kind === "failed" || wild?.kind === "failed";
		const ttls = [...(wild ? recordsOf(wild) : []).map(({ ttlS }) => ttlS), ...authority ? [authority.minimumS] : []];
		return {
			outcome: "seen",
			value,
			keepMs: keepMs$1(lacking ? [] : ttls)
		};
	}
	/** Follows one `redirect=`, as the large mail services use it. */
	async function spfOf(texts, options) {
		const first = readSpf(texts);
		if (typeof first === "string") return first;
		if (first.redirect.includes("%")) return "neutral";
		const target = hostName(first.redirect);
		if (target === void 0 || !isPublicName(target)) return "invalid";
		const answer = await resolver.ask("TXT", target, options);
		if (answer.kind === "failed") return answer;
		const second = readSpf(recordsOf(answer));
		if (typeof second !== "string") return "neutral";
		return second === "absent" ? "invalid" : second;
	}
	return {
		sort: "zone",
		observe
	};
}
function mailHosts(records) {
	const [only] = records;
	const nullMx = records.length === 1 && (only?.exchange === "" || only?.exchange === ".");
	const byPreference = records.toSorted((a, b) => a.preference - b.preference || (a.exchange < b.exchange ? -1 : 1));
	return {
		mx: hostNames(byPreference.map(({ exchange }) => exchange), NAMES_MAX),
		nullMx
	};
}
function soaOf(record) {
	if (!record) return {};
	const primary = hostName(record.primary);
	const contact = hostName(record.contact);
	return primary === void 0 || contact === void 0 ? {} : { soa: {
		primary,
		contact,
		serial: record.serial
	} };
}
/** A label nobody has. It is always the same for a name, so that a resolver can remember what became of it. */
function unlikelyLabel(name) {
	return `w${createHash("sha256").update(`wildcard ${name}`).digest("hex").slice(0, 20)}`;
}

// src/live/rdap/outage.ts
const FAILURES_TO_OPEN = 8;
const HOSTS_TO_OPEN = 2;
/**
* Notices that nobody answers anywhere, as on a machine that may not call out. Then nobody is asked for a minute, after
* which one question tries again: such a machine must not wait for every check.
*/
var Outage = class {
	#clock;
	#hosts = /* @__PURE__ */ new Set();
	#failures = 0;
	#closedUntil = 0;
	#trying = false;
	constructor(clock) {
		this.#clock = clock;
	}
	/** Milliseconds until it is any use asking; 0 where it may be now. */
	closedMs() {
		if (this.#closedUntil === 0) return 0;
		const leftMs = Math.max(0, this.#closedUntil - this.#clock.ticks());
		return leftMs === 0 && this.#trying ? SECOND_MS : leftMs;
	}
	began() {
		this.#trying = this.#closedUntil > 0;
	}
	ended(host, answered) {
		this.#trying = false;
		if (answered) {
			this.#failures = 0;
			this.#closedUntil = 0;
			this.#hosts.clear();
			return;
		}
		this.#failures++;
		if (this.#hosts.size < HOSTS_TO_OPEN) this.#hosts.add(host);
		if (this.#failures >= FAILURES_TO_OPEN && this.#hosts.size >= HOSTS_TO_OPEN) this.#closedUntil = this.#clock.ticks() + MINUTE_MS;
	}
};

// src/live/rdap/read.ts
/**
* Reads an RDAP answer about a domain (RFC 9083). Strangers wrote it: nothing in it is relied on before it was looked at,
* and every text and list is bounded.
*/
const DEPTH_MAX = 3;
const LIST_MAX = 100;
const STATUSES_MAX = 20;
const STATUS_LENGTH_MAX = 60;
const REGISTRAR_LENGTH_MAX = 200;
/** No registry kept dates before the DNS; typing errors and `9999-12-31` lie outside. */
const EARLIEST_MS = Date.UTC(1980, 0);
const AHEAD_MAX_MS = 36500 * DAY_MS;
/** A registry's clock or time zone may be off by so much. */
const CLOCK_ERROR_MS = 2 * DAY_MS;
/** The facts in an answer; undefined where it is no answer about this name. */
function readRegistration(answer, { name, server, nowMs }) {
	if (text(field(answer, "ldhName"))?.toLowerCase().replace(/\.$/, "") !== name) return void 0;
	const events = list(field(answer, "events"));
	const registeredMs = eventMs(events, "registration", nowMs, CLOCK_ERROR_MS);
	const changedMs = eventMs(events, "last changed", nowMs, CLOCK_ERROR_MS);
	const expiresMs = eventMs(events, "expiration", nowMs, AHEAD_MAX_MS);
	const registrar = findRegistrar(list(field(answer, "entities")), DEPTH_MAX);
	const signed = field(field(answer, "secureDNS"), "delegationSigned");
	return {
		found: true,
		...registeredMs !== void 0 && { registeredMs },
		...changedMs !== void 0 && { changedMs },
		...expiresMs !== void 0 && { expiresMs },
		...registrar !== void 0 && { registrar },
		statuses: readStatuses(field(answer, "status")),
		...typeof signed === "boolean" && { signed },
		server
	};
}
function eventMs(events, action, nowMs, aheadMaxMs) {
	for (const event of events) {
		if (text(field(event, "eventAction"))?.toLowerCase() !== action) continue;
		const timeMs = parseTime(text(field(event, "eventDate")) ?? "");
		if (timeMs !== void 0 && timeMs >= EARLIEST_MS && timeMs <= nowMs + aheadMaxMs) return timeMs;
	}
}
const YEAR_FIRST = /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[T ]+(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?\s*(\S*)$/i;
const MONTH_BY_NAME = /^(\d{1,2})[- ]([a-z]{3})[- ](\d{4})$/i;
const MONTHS = [
	"jan",
	"feb",
	"mar",
	"apr",
	"may",
	"jun",
	"jul",
	"aug",
	"sep",
	"oct",
	"nov",
	"dec"
];
const ZONE = /^([+-])(\d{2}):?(\d{2})?$/;
const ZONE_MINUTES_MAX = 840;
/**
* RFC 3339 and the forms that registries write instead: no time, no zone (read as UTC), a blank for the T, no separators,
* `14-Aug-1995`. Forms that leave open which number is the month are not read.
*/
function parseTime(written) {
	const trimmed = written.length > 64 ? "" : written.trim();
	const named = MONTH_BY_NAME.exec(trimmed);
	if (named) {
		const [, day, month = "", year] = named;
		return moment(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day), 0, 0, 0);
	}
	const found = YEAR_FIRST.exec(trimmed);
	if (!found) return void 0;
	const [, year, , month, day, hour = "0", minute = "0", second = "0", zone = ""] = found;
	const offsetMinutes = zoneMinutes(zone);
	if (offsetMinutes === void 0) return void 0;
	const local = moment(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Math.min(Number(second), 59));
	return local === void 0 ? void 0 : local - offsetMinutes * 6e4;
}
/** Milliseconds of a moment in UTC; undefined where the calendar has no such day or the day no such time. */
function moment(year, month, day, hour, minute, second) {
	const date = new Date(Date.UTC(year, month, day, hour, minute, second));
	return date.getUTCFullYear() === year && date.getUTCMonth() === month && date.getUTCDate() === day && date.getUTCHours() === hour && date.getUTCMinutes() === minute ? date.getTime() : void 0;
}
function zoneMinutes(zone) {
	if (/^(z|utc|gmt)?$/i.test(zone)) return 0;
	const found = ZONE.exec(zone);
	if (!found) return void 0;
	const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
	if (minutes > ZONE_MINUTES_MAX) return void 0;
	return found[1] === "-" ? -minutes : minutes;
}
function findRegistrar(entities, depthLeft) {
	if (depthLeft === 0) return void 0;
	for (const entity of entities) {
		const found = (list(field(entity, "roles")).some((role) => text(role)?.toLowerCase() === "registrar") ? nameOf(entity) : void 0) ?? findRegistrar(list(field(entity, "entities")), depthLeft - 1);
		if (found !== void 0) return found;
	}
}
function nameOf(entity) {
	const properties = list(list(field(entity, "vcardArray"))[1]).map(list);
	for (const wanted of ["fn", "org"]) for (const [property, , , value] of properties) {
		if (text(property)?.toLowerCase() !== wanted) continue;
		const name = cleanText(text(value) ?? text(list(value)[0]) ?? "", REGISTRAR_LENGTH_MAX);
		if (name !== "") return name;
	}
	for (const id of list(field(entity, "publicIds"))) {
		const number = text(field(id, "identifier")) ?? "";
		if (/^iana registrar id$/i.test(text(field(id, "type")) ?? "") && /^\d{1,6}$/.test(number)) return `IANA registrar ${number}`;
	}
}
/** Some servers write EPP's `clientHold` where RDAP says `client hold`. */
function readStatuses(value) {
	const statuses = list(value).map((status) => cleanText(text(status) ?? "", STATUS_LENGTH_MAX).replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase());
	return [...new Set(statuses)].filter((status) => status !== "").slice(0, STATUSES_MAX);
}
/** One line without characters that steer a terminal, hide, or turn the direction of reading. */
function cleanText(raw, lengthMax) {
	return raw.slice(0, 4 * lengthMax).replace(/[\p{Cc}\p{Z}]+/gu, " ").replace(/[\p{Cf}\p{Co}]+/gu, "").trim().slice(0, lengthMax).replace(/\p{Cs}/gu, "").trim();
}
function field(value, key) {
	return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : void 0;
}
function list(value) {
	return Array.isArray(value) ? value.slice(0, LIST_MAX) : [];
}
function text(value) {
	return typeof value === "string" ? value : void 0;
}
const KEEP_SETTLED_MS = 30 * DAY_MS;
const KEEP_UNKNOWN_AGE_MS = 7 * DAY_MS;
const KEEP_CHANGING_MS = DAY_MS;
/** How long facts about a registered name may be relied on: long where nothing is about to change. */
function keepMs({ registeredMs, expiresMs, statuses }, nowMs) {
	if (expiresMs !== void 0 && expiresMs < nowMs + 30 * 864e5 || statuses.some((status) => /hold|pending|redemption/.test(status))) return KEEP_CHANGING_MS;
	if (registeredMs === void 0) return KEEP_UNKNOWN_AGE_MS;
	return registeredMs < nowMs - 365 * 864e5 ? KEEP_SETTLED_MS : KEEP_CHANGING_MS;
}

// src/live/rdap/retry-after.ts
const UNSAID_MS = 10 * SECOND_MS;
/** How long a server wants to be left alone (RFC 9110 §10.2.3): seconds or a date; at most an hour. */
function retryAfterMs(header, nowMs) {
	const written = header?.trim() ?? "";
	const untilMs = /^[a-z]{3,9},? /i.test(written) ? Date.parse(written) - nowMs : NaN;
	const waitMs = /^\d{1,9}$/.test(written) ? Number(written) * SECOND_MS : untilMs;
	if (Number.isNaN(waitMs)) return UNSAID_MS;
	return Math.min(Math.max(waitMs, SECOND_MS), HOUR_MS);
}

// src/live/rdap/rdap.ts
const TIMEOUT_MS = 4 * SECOND_MS;
const BYTES_MAX = 262144;
const REDIRECTS_MAX = 3;
const REDIRECTS = /* @__PURE__ */ new Set([
	301,
	302,
	303,
	307,
	308
]);
const KEEP_UNREGISTERED_MS = HOUR_MS;
const RETRY_FAULT_MS = MINUTE_MS;
const RETRY_REFUSED_MS = 10 * MINUTE_MS;
const RETRY_NO_SERVER_MS = DAY_MS;
const BREAKER = {
	failuresToOpen: 5,
	openMs: MINUTE_MS
};
/** Registries refuse greedy callers. */
const PUBLIC_LIMITS = {
	...BREAKER,
	concurrencyMax: 4,
	perSecondMax: 10,
	waitingMax: 2e3
};
/** The largest list of names may wait, twice. */
const OWN_LIMITS = {
	...BREAKER,
	concurrencyMax: 64,
	perSecondMax: Number.POSITIVE_INFINITY,
	waitingMax: 2e4
};
/** Redirects may lead to any number of hosts: those that are in no list share one place. */
const ELSEWHERE = "other servers";
const NOBODY_ANSWERS = "no RDAP server answers";
var RdapObserver = class {
	sort = "registration";
	/** Also fetches the list of servers. */
	client;
	#options;
	#ownBase;
	#ownGate;
	#publicGate;
	#outage;
	constructor(options) {
		const { clock, ownBase, resolve, allowLoopback } = options;
		this.#options = options;
		this.#ownBase = ownBase?.replace(/\/*$/, "/");
		const ownOrigin = ownBase === void 0 ? void 0 : new URL(ownBase).origin;
		this.client = new Client({
			ownOrigin,
			resolve,
			allowLoopback
		});
		this.#ownGate = new ServerGate({
			...OWN_LIMITS,
			clock
		});
		this.#publicGate = new ServerGate({
			...PUBLIC_LIMITS,
			clock
		});
		this.#outage = new Outage(clock);
	}
	/** `name` is a registrable name in normal form. */
	async observe(name, { urgent }) {
		const base = this.#ownBase ?? this.#options.bootstrap().base(name);
		if (base === void 0) return failed(`no RDAP server for .${name.split(".").at(-1)}`, RETRY_NO_SERVER_MS);
		let url = new URL(`${base}domain/${name}`);
		let leftMs = this.#options.timeoutMs ?? TIMEOUT_MS;
		try {
			for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
				const step = await this.#ask(url, name, urgent, Math.max(1, leftMs));
				if ("observation" in step) return step.observation;
				if (!this.client.isOwn(url) && this.client.isOwn(step.redirect)) return failed("a redirect back", RETRY_FAULT_MS);
				url = step.redirect;
				leftMs -= step.tookMs;
			}
		} catch (error) {
			if (error instanceof ServerClosed) return failed(error.message, error.retryMs);
			throw error;
		}
		return failed(`more than ${REDIRECTS_MAX} redirects`, RETRY_FAULT_MS);
	}
	/** How the servers are doing that were asked. */
	state() {
		return [...this.#ownGate.state(), ...this.#publicGate.state()];
	}
	/** Refuses whoever waits and gives up what is under way. */
	async close() {
		this.#ownGate.close();
		this.#publicGate.close();
		await this.client.close();
	}
	async #ask(url, name, urgent, timeoutMs) {
		const question = async () => {
			const startedAt = this.#options.clock.ticks();
			return {
				reply: await this.client.get(url, {
					timeoutMs,
					bytesMax: BYTES_MAX
				}),
				tookMs: this.#options.clock.ticks() - startedAt
			};
		};
		if (this.client.isOwn(url)) return this.#ownGate.ask(url.host, urgent, async () => this.#step(url, name, await question()));
		this.#requireAnswers();
		const place = this.#options.bootstrap().hasHost(url.host) ? url.host : ELSEWHERE;
		return this.#publicGate.ask(place, urgent, async () => {
			const closedMs = this.#outage.closedMs();
			if (closedMs > 0) return {
				verdict: "answered",
				answer: { observation: failed(NOBODY_ANSWERS, closedMs) }
			};
			this.#outage.began();
			const asked = await question();
			this.#outage.ended(url.host, !("failed" in asked.reply) || asked.reply.answered);
			return this.#step(url, name, asked);
		});
	}
	#requireAnswers() {
		const closedMs = this.#outage.closedMs();
		if (closedMs > 0) throw new ServerClosed(NOBODY_ANSWERS, closedMs);
	}
	#step(url, name, { reply, tookMs }) {
		if (!("failed" in reply) && REDIRECTS.has(reply.status)) {
			const location = reply.header("location") ?? "";
			if (location !== "" && URL.canParse(location, url.href)) return {
				verdict: "answered",
				answer: {
					redirect: new URL(location, url),
					tookMs
				}
			};
		}
		const { verdict, observation } = judge(reply, name, url.host, this.#options.clock.now());
		return {
			verdict,
			answer: { observation }
		};
	}
};
function judge(reply, name, server, nowMs) {
	if ("failed" in reply) return {
		verdict: "failed",
		observation: failed(reply.failed, RETRY_FAULT_MS)
	};
	const { status, body } = reply;
	if (status === 200) {
		const value = readRegistration(readJsonText(body)?.value, {
			name,
			server,
			nowMs
		});
		if (value) return {
			verdict: "answered",
			observation: {
				outcome: "seen",
				value,
				keepMs: keepMs(value, nowMs)
			}
		};
		return {
			verdict: "failed",
			observation: failed("not an RDAP answer about the name", RETRY_FAULT_MS)
		};
	}
	if (status === 404) return {
		verdict: "answered",
		observation: {
			outcome: "seen",
			value: {
				found: false,
				statuses: [],
				server
			},
			keepMs: KEEP_UNREGISTERED_MS
		}
	};
	const why = `HTTP ${status}`;
	if (status === 429 || status === 503) {
		const leaveMs = retryAfterMs(reply.header("retry-after"), nowMs);
		return {
			verdict: { retryAfterMs: leaveMs },
			observation: failed(why, leaveMs)
		};
	}
	if (status >= 400 && status < 500) return {
		verdict: "answered",
		observation: failed(why, RETRY_REFUSED_MS)
	};
	return {
		verdict: "failed",
		observation: failed(why, RETRY_FAULT_MS)
	};
}
function failed(why, retryMs) {
	return {
		outcome: "failed",
		why,
		retryMs
	};
}

// src/live/local-observers.ts
/** More than lists have under way, so that names whose servers are silent do not take every place. */
const QUESTIONS_AT_ONCE = 500;
/** All observers, in this thread. */
function createObservers(settings, clock) {
	const resolver = createDnsResolver({
		servers: settings.dnsServers,
		concurrencyMax: QUESTIONS_AT_ONCE,
		timeoutMs: Math.max(2 * SECOND_MS, settings.patienceMs),
		clock
	});
	let bootstrap = new Bootstrap(bundledBootstrap());
	const addressesOf = async (host) => {
		const options = { urgent: true };
		const [v4, v6] = await Promise.all([resolver.ask("A", host, options), resolver.ask("AAAA", host, options)]);
		return [...recordsOf(v4).map(({ address }) => ({
			address,
			family: 4
		})), ...recordsOf(v6).map(({ address }) => ({
			address,
			family: 6
		}))];
	};
	const rdap = new RdapObserver({
		clock,
		ownBase: settings.rdapUrl,
		bootstrap: () => bootstrap,
		resolve: addressesOf,
		timeoutMs: Math.max(4 * SECOND_MS, settings.patienceMs)
	});
	const observers = {
		registration: rdap,
		zone: zoneObserver(resolver),
		host: hostObserver(resolver),
		certificate: certificateObserver({ resolver }),
		reverse: reverseObserver(resolver)
	};
	return {
		sorts: new Set(settings.sorts),
		async observe(sort, name, options) {
			try {
				const seen = await observers[sort].observe(name, options);
				return seen.outcome === "seen" ? {
					...seen,
					value: JSON.stringify(seen.value)
				} : seen;
			} catch (error) {
				return {
					outcome: "failed",
					why: String(error),
					retryMs: MINUTE_MS
				};
			}
		},
		answers: () => resolver.answers(),
		servers: async () => [...resolver.state(), ...rdap.state()],
		useBootstrap(text) {
			const read = readCompactText(text);
			if (!("problem" in read) && read.publication > bootstrap.publication) bootstrap = new Bootstrap(read);
		},
		async close() {
			resolver.close();
			await rdap.close();
		}
	};
}

export { createObservers as t };