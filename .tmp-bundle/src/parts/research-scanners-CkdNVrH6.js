import { o as compareIp, u as parseCidr } from "./domain-kPPiJw5e.js";

// src/snapshot/types.ts
/** What a snapshot answers. compile.ts writes it, read.ts implements it, the signals in risk/ ask it. */
/**
* What a piece of evidence says about its indicator. Feeds carry tags, signals look for them, weights.ts prices
* them. Threat tags condemn, context tags describe, reassuring tags count in favour.
*/
const TAGS = {
	phishing: "threat",
	malware: "threat",
	c2: "threat",
	scam: "threat",
	spam: "threat",
	attack: "threat",
	bec: "threat",
	hijacked: "threat",
	suspicious: "threat",
	disposable: "context",
	relay: "context",
	freemail: "context",
	tor_exit: "context",
	tor_relay: "context",
	vpn: "context",
	proxy: "context",
	hosting: "context",
	bad_asn: "context",
	scanner: "context",
	adware: "context",
	dynamic_dns: "context",
	free_hosting: "context",
	url_shortener: "context",
	parked: "context",
	newly_registered: "context",
	sinkhole: "context",
	bogon: "context",
	research_scanner: "reassuring",
	resolver: "reassuring",
	mail_provider: "reassuring",
	big_provider: "reassuring",
	cdn: "reassuring",
	popular_1k: "reassuring",
	popular_10k: "reassuring",
	popular_100k: "reassuring",
	popular_1m: "reassuring",
	bank: "reassuring",
	academic: "reassuring",
	government: "reassuring",
	known_good: "reassuring"
};
/** What sources list: `ip` includes the tables that say which network announces an address. */
const SOURCE_KINDS = [
	"domain",
	"email",
	"ip",
	"asn"
];
/**
* What a source is consulted for. A source of reassuring tags says `popularity` for the popular_… ones and `reassuring`
* for the others; `network` is a table of who announces an address. One source may have several roles.
*/
const SOURCE_ROLES = [
	"threat",
	"context",
	"reassuring",
	"popularity",
	"network"
];

// src/snapshot/format.ts
/**
* The snapshot file: what a node answers from, immutable, one file.
*
*   magic (8 bytes) · format version (u32) · header length (u32) · file length (f64) · header (JSON, padded to 8)
*   · sections, each aligned to 8 bytes · SHA-256 of all that stands before it (32 bytes). Little-endian throughout.
*
* Invariants, kept by compile.ts and its parts, relied on by read.ts, each with a test:
*
*  1. A file is whole or refused: magic, format version, length and checksum are checked before anything is answered.
*  2. The same rows give the same sections and the same version, whatever order they were added in, on any node
*     that compiles on the same UTC day. Ages count in whole UTC days for that reason.
*  3. Domains and emails stand in open-addressing tables keyed by hash64Into (lib/hashing.ts), three words a slot:
*     high, low, evidence set. A key's home slot is floor(high · homes / 2³²), slots are filled in the order of the
*     keys without wrapping, so a probe moves right only and ends at an empty slot (set 0) or at a greater high word.
*  4. Equal 64-bit keys are one entry. At ten million entries a look-up of an unlisted name meets one by
*     chance once in 10¹² times.
*  5. IP ranges of one version are disjoint, sorted, and never touch with the same evidence set. The set of a range
*     holds the evidence of every listed prefix that covers it, and of no other.
*  6. ASN ranges are disjoint and sorted; where sources overlap the narrower range wins, then the lower number.
*  7. Evidence is unique per (source, tag) in a set: first seen is the earliest that the source states (none when it
*     states none), last seen and confidence those of the freshest sighting. Sets and evidence are stored once and shared by all entries that have them.
*  8. Confidence is aged: base · ½^(age in days / half-life). Evidence older than its source's expiry is not there.
*  9. Giants cannot be condemned by one stray list entry. A name or address is protected by a reassuring entry on
*     itself, a name also by one on the registrable name above it unless that is shared hosting. Threat evidence from
*     sources of one origin alone is left out on a strongly protected entry and halved in confidence on a weakly
*     protected one; from two or more origins it is halved on a strongly protected entry and kept on a weakly
*     protected one. `disposable` follows the same rule with its own table and the name's own tags alone, and never
*     stands on a mail provider's domain. Which tags protect, and how strongly, stands in PROTECTION below.
* 10. No threat stands on a platform as a whole: never on a private suffix of the public suffix list (github.io,
*     pages.dev); a name tagged free_hosting, dynamic_dns or url_shortener counts as strongly protected.
* 11. Density counts threat-tagged evidence that stands in the snapshot, after all rules above: per /24 the addresses
*     covered by listed prefixes of /24 or longer, per /48 the listed ranges, per ASN the listed IPv4 addresses
*     (again from prefixes of /24 or longer) for every 10,000 IPv4 addresses it announces. How many /24 of a /16 (/48 of
*     a /32) hold any of these, and how many addresses an ASN announces, follows from this and is counted on opening.
* 12. `freemail` does not stand beside `disposable` (lists of free mail mix both, and throw-away is the narrower word)
*     nor on a known_good name that is no mail provider (they list company domains too).
* 13. `newly_registered` does not stand on a name that a reassuring tag protects strongly: nobody becomes a bank or one of
*     the first ten thousand sites in a month, so such a row is a list's mistake.
*/
const MAGIC = "ASSAYSNP";
/** Slots per hundred entries: 70 % full, 17 bytes an entry. */
const TABLE_FILL = .7;
const TAG_NAMES = Object.keys(TAGS);
/** Which reassuring tags keep a stray threat away (invariant 9). Hosting clouds are not here: they describe. */
const PROTECTION = {
	domain: {
		known_good: "strong",
		mail_provider: "strong",
		big_provider: "strong",
		resolver: "strong",
		cdn: "strong",
		popular_1k: "strong",
		popular_10k: "strong",
		bank: "strong",
		government: "strong",
		academic: "strong",
		popular_100k: "weak"
	},
	ip: {
		known_good: "strong",
		mail_provider: "strong",
		resolver: "strong",
		cdn: "strong"
	},
	disposable: {
		known_good: "strong",
		mail_provider: "strong",
		big_provider: "strong",
		popular_1k: "strong",
		bank: "strong",
		government: "strong",
		academic: "strong",
		popular_10k: "weak"
	}
};
/** Names under which strangers get their own host: their reputation says nothing about a host below them. */
const SHARED_HOSTING_TAGS = /* @__PURE__ */ new Set([
	"free_hosting",
	"dynamic_dns",
	"url_shortener"
]);
function isThreat(tag) {
	return TAGS[tag] === "threat";
}
function roleOf(tag) {
	return tag.startsWith("popular_") ? "popularity" : TAGS[tag];
}
/** Typed arrays in the file, by name. */
const SECTIONS = {
	/** Evidence records, five words each: source, tag, first day or 0, last day, confidence in 1/10,000. */
	evidence: "u32",
	/** setStarts[i]..setStarts[i+1] delimits set i in setItems; set 0 is empty. */
	setStarts: "u32",
	setItems: "u32",
	domains: "u32",
	emails: "u32",
	v4First: "u32",
	v4Last: "u32",
	v4Set: "u32",
	v4Index: "u32",
	/** Four words an address. */
	v6First: "u32",
	v6Last: "u32",
	v6Set: "u32",
	v6Index: "u32",
	asn4First: "u32",
	asn4Last: "u32",
	asn4Asn: "u32",
	asn4Index: "u32",
	asn6First: "u32",
	asn6Last: "u32",
	asn6Asn: "u32",
	asn6Index: "u32",
	asnNumbers: "u32",
	asnSets: "u32",
	asnPer10k: "f32",
	asnNameStarts: "u32",
	asnNames: "u8",
	/** Two letters an ASN, or two zeros. Not in a file that an earlier release compiled. */
	asnCountries: "u8",
	near4Keys: "u32",
	near4Counts: "u16",
	near6Keys: "u32",
	near6Counts: "u16"
};
const SECTION_NAMES = Object.keys(SECTIONS);
/** Sections that came later. Without one of them a file still opens, and says nothing of what would stand there. */
const LATER_SECTIONS = /* @__PURE__ */ new Set(["asnCountries"]);
var SnapshotRefused = class extends Error {
	constructor(file, reason, options) {
		super(`The snapshot ${file} is refused: ${reason}.`, options);
		this.name = "SnapshotRefused";
	}
};
function align8(offset) {
	return Math.ceil(offset / 8) * 8;
}
function infoOf(header) {
	return {
		version: header.version,
		builtAtMs: header.built_at_ms,
		sources: header.sources.map(({ id, name, licence, kinds = [], roles = [], rows, as_of_ms }) => ({
			id,
			name,
			licence,
			kinds,
			roles,
			rows,
			asOfMs: as_of_ms
		})),
		counts: header.counts
	};
}

// src/snapshot/radix.ts
/**
* The order of `count` rows by their words, most significant word first: a least-significant-digit radix sort on
* 16 bits at a time. Ten times as fast as a comparison sort of indexes and stable, which invariant 2 leans on.
*/
function sortOrder(words, count) {
	let order = new Uint32Array(count);
	for (let i = 0; i < count; i++) order[i] = i;
	let scratch = new Uint32Array(count);
	const buckets = /* @__PURE__ */ new Uint32Array(65537);
	for (let w = words.length - 1; w >= 0; w--) {
		const word = words[w];
		for (const shift of [0, 16]) {
			buckets.fill(0);
			for (let i = 0; i < count; i++) buckets[(word[i] >>> shift & 65535) + 1]++;
			if (count > 0 && buckets[(word[0] >>> shift & 65535) + 1] === count) continue;
			for (let b = 1; b <= 65536; b++) buckets[b] += buckets[b - 1];
			for (let i = 0; i < count; i++) {
				const row = order[i];
				const digit = word[row] >>> shift & 65535;
				scratch[buckets[digit]++] = row;
			}
			const swap = order;
			order = scratch;
			scratch = swap;
		}
	}
	return order;
}
/** An append-only array of unsigned words that grows by doubling. */
var GrowingWords = class {
	words;
	length = 0;
	constructor(initial = 1024) {
		this.words = new Uint32Array(initial);
	}
	push(value) {
		if (this.length === this.words.length) {
			const bigger = new Uint32Array(this.words.length * 2);
			bigger.set(this.words);
			this.words = bigger;
		}
		this.words[this.length++] = value;
	}
	view() {
		return this.words.subarray(0, this.length);
	}
};

// src/snapshot/evidence-pool.ts
const STRONG = 2;
const WEAK = 1;
function strengthOf(protection) {
	return protection === "strong" ? 2 : protection === "weak" ? 1 : 0;
}
/** Evidence and evidence sets, each stored once. */
var EvidencePool = class {
	records = [];
	/** Sets of record numbers; set 0 is empty. */
	sets = [[]];
	#sources;
	#recordIds = /* @__PURE__ */ new Map();
	#setIds = /* @__PURE__ */ new Map([["", 0]]);
	#judged = /* @__PURE__ */ new Map();
	#judgedSingles = {
		plain: [],
		ip: [],
		domain: [],
		domain_weak: [],
		domain_strong: []
	};
	constructor(sources) {
		this.#sources = sources;
	}
	intern(record) {
		const key = `${record.source},${record.tag},${record.firstDay},${record.lastDay},${record.confidence}`;
		let id = this.#recordIds.get(key);
		if (id === void 0) {
			id = this.records.length;
			this.records.push(record);
			this.#recordIds.set(key, id);
		}
		return id;
	}
	/** The number of the set that these records make after merging and judging. `ids` is left as it is. */
	resolve(ids, context, dropped) {
		if (ids.length === 0) return 0;
		let judged;
		if (ids.length === 1) {
			const singles = this.#judgedSingles[context];
			judged = singles[ids[0]];
			if (!judged) {
				judged = this.#judge(ids, context);
				singles[ids[0]] = judged;
			}
		} else {
			const sorted = [...ids].sort((a, b) => a - b);
			const key = `${context}:${sorted.join()}`;
			judged = this.#judged.get(key);
			if (!judged) {
				judged = this.#judge(sorted, context);
				this.#judged.set(key, judged);
			}
		}
		dropped.protected += judged.dropped;
		dropped.downgraded += judged.downgraded;
		return judged.set;
	}
	isThreat(id) {
		return isThreat(TAG_NAMES[this.records[id].tag]);
	}
	#judge(ids, context) {
		const merged = this.#merge(ids);
		if (context === "plain") return {
			set: this.#internSet(merged),
			dropped: 0,
			downgraded: 0
		};
		const table = context === "ip" ? PROTECTION.ip : PROTECTION.domain;
		let threatStrength = context === "domain_strong" ? 2 : context === "domain_weak" ? 1 : 0;
		let disposableStrength = 0;
		const threatOrigins = /* @__PURE__ */ new Set();
		const disposableOrigins = /* @__PURE__ */ new Set();
		let mailProvider = false;
		for (const { source, tag } of merged) {
			const name = TAG_NAMES[tag];
			const shared = context !== "ip" && SHARED_HOSTING_TAGS.has(name);
			threatStrength = Math.max(threatStrength, shared ? 2 : strengthOf(table[name]));
			disposableStrength = Math.max(disposableStrength, strengthOf(PROTECTION.disposable[name]));
			const { origin, id } = this.#sources[source];
			if (isThreat(name)) threatOrigins.add(origin ?? id);
			if (name === "disposable") disposableOrigins.add(origin ?? id);
			if (name === "mail_provider") mailProvider = true;
		}
		const kept = [];
		let dropped = 0;
		let downgraded = 0;
		for (const record of merged) {
			const name = TAG_NAMES[record.tag];
			const disposable = name === "disposable";
			const strength = isThreat(name) ? threatStrength : disposable ? disposableStrength : 0;
			const corroborated = (disposable ? disposableOrigins : threatOrigins).size >= 2;
			if (strength === 0 || strength === 1 && corroborated) kept.push(record);
			else if (strength === 2 && !corroborated || disposable && mailProvider) dropped++;
			else {
				downgraded++;
				kept.push({
					...record,
					confidence: Math.round(record.confidence / 2)
				});
			}
		}
		const has = (name) => kept.some(({ tag }) => TAG_NAMES[tag] === name);
		const untold = /* @__PURE__ */ new Set();
		if (has("disposable") || has("known_good") && !mailProvider) untold.add("freemail");
		if (merged.some(({ tag }) => table[TAG_NAMES[tag]] === "strong")) untold.add("newly_registered");
		const told = untold.size === 0 ? kept : kept.filter(({ tag }) => !untold.has(TAG_NAMES[tag]));
		return {
			set: this.#internSet(told),
			dropped,
			downgraded
		};
	}
	/** One record per source and tag: earliest first sighting, the freshest sighting's confidence. */
	#merge(ids) {
		if (ids.length === 1) return [this.records[ids[0]]];
		const merged = /* @__PURE__ */ new Map();
		for (const id of ids) {
			const record = this.records[id];
			const key = record.source * 256 + record.tag;
			const other = merged.get(key);
			if (!other) {
				merged.set(key, record);
				continue;
			}
			const fresher = record.lastDay > other.lastDay || record.lastDay === other.lastDay && record.confidence > other.confidence ? record : other;
			merged.set(key, {
				...fresher,
				firstDay: earlierDay(record.firstDay, other.firstDay)
			});
		}
		return [...merged.values()];
	}
	#internSet(records) {
		const ids = records.map((record) => this.intern(record)).sort((a, b) => a - b);
		const key = ids.join();
		let set = this.#setIds.get(key);
		if (set === void 0) {
			set = this.sets.length;
			this.sets.push(ids);
			this.#setIds.set(key, set);
		}
		return set;
	}
	/** Renumbers sources by id, records by content and sets by first use, and rewrites the sections that hold set numbers. */
	canonical(sections) {
		const sourceOrder = this.#sources.map((source) => source.number).sort((a, b) => this.#sources[a].id < this.#sources[b].id ? -1 : 1);
		const sourceRank = [];
		for (const [rank, number] of sourceOrder.entries()) sourceRank[number] = rank;
		const used = new Uint32Array(this.sets.length);
		const order = [0];
		const renumber = (words, from, step) => {
			for (let i = from; i < words.length; i += step) {
				const set = words[i];
				if (set === 0) continue;
				if (used[set] === 0) {
					used[set] = order.length;
					order.push(set);
				}
				words[i] = used[set];
			}
		};
		renumber(sections.domains, 2, 3);
		renumber(sections.emails, 2, 3);
		renumber(sections.v4Set, 0, 1);
		renumber(sections.v6Set, 0, 1);
		renumber(sections.asnSets, 0, 1);
		const recordIds = [...new Set(order.flatMap((set) => this.sets[set]))];
		const rank = (id) => sourceRank[this.records[id].source];
		recordIds.sort((a, b) => {
			const x = this.records[a];
			const y = this.records[b];
			return rank(a) - rank(b) || x.tag - y.tag || x.lastDay - y.lastDay || x.firstDay - y.firstDay || x.confidence - y.confidence;
		});
		const evidence = new Uint32Array(recordIds.length * 5);
		const recordRank = [];
		for (const [i, id] of recordIds.entries()) {
			const record = this.records[id];
			recordRank[id] = i;
			evidence.set([
				rank(id),
				record.tag,
				record.firstDay,
				record.lastDay,
				record.confidence
			], i * 5);
		}
		const setStarts = new Uint32Array(order.length + 1);
		const items = new GrowingWords();
		for (const [i, set] of order.entries()) {
			setStarts[i] = items.length;
			for (const item of this.sets[set].map((id) => recordRank[id]).sort((a, b) => a - b)) items.push(item);
		}
		setStarts[order.length] = items.length;
		return {
			sections: {
				evidence,
				setStarts,
				setItems: items.view()
			},
			sourceOrder
		};
	}
};
function earlierDay(a, b) {
	if (a === 0 || b === 0) return Math.max(a, b);
	return Math.min(a, b);
}

// src/snapshot/table.ts
/** A hash table in key order: each key in the first free slot from its home on. */
/** Set beside STRONG and WEAK: the name is shared by strangers. */
const SHARED = 4;
function mapKey(high, low) {
	return high * 2097152 + (low >>> 11);
}
function buildTable(rows, pool, dropped, protection) {
	const total = rows.evidence.length;
	const high = rows.high.words;
	const low = rows.low.words;
	const order = sortOrder([high, low], total);
	const keyRows = new GrowingWords();
	const sets = new GrowingWords();
	const ids = [];
	for (let i = 0; i < total;) {
		const row = order[i];
		ids.length = 0;
		let parentRow = -1;
		let j = i;
		for (; j < total && high[order[j]] === high[row] && low[order[j]] === low[row]; j++) {
			const other = order[j];
			const evidence = rows.evidence.words[other];
			if (!ids.includes(evidence)) ids.push(evidence);
			if (rows.parentHigh.words[other] !== 0 || rows.parentLow.words[other] !== 0) parentRow = other;
		}
		i = j;
		let context = protection ? "domain" : "plain";
		if (protection && parentRow >= 0) {
			const flags = protection.get(mapKey(rows.parentHigh.words[parentRow], rows.parentLow.words[parentRow])) ?? 0;
			if (!(flags & 4)) context = flags & 2 ? "domain_strong" : flags & 1 ? "domain_weak" : "domain";
		}
		const set = pool.resolve(ids, context, dropped);
		if (set === 0) continue;
		keyRows.push(row);
		sets.push(set);
	}
	const count = sets.length;
	const homes = Math.max(1, Math.ceil(count / TABLE_FILL));
	const positions = new Uint32Array(count);
	let next = 0;
	for (let i = 0; i < count; i++) {
		const home = homeSlot(high[keyRows.words[i]], homes);
		const slot = Math.max(home, next);
		positions[i] = slot;
		next = slot + 1;
	}
	const slots = new Uint32Array((Math.max(next, homes) + 1) * 3);
	for (let i = 0; i < count; i++) {
		const row = keyRows.words[i];
		const at = positions[i] * 3;
		slots[at] = high[row];
		slots[at + 1] = low[row];
		slots[at + 2] = sets.words[i];
	}
	return {
		slots,
		homes,
		count
	};
}
function homeSlot(high, homes) {
	return Math.floor(high / 4294967296 * homes);
}

// src/lib/research-scanners.ts
const RESEARCH_SCANNERS = [
	{
		owner: "Censys",
		networks: [
			398324,
			398705,
			398722
		],
		addresses: words(`
      66.132.159.0/24 162.142.125.0/24 167.94.138.0/24 167.94.145.0/24 167.94.146.0/24 167.248.133.0/24
      192.35.168.0/23 199.45.154.0/23 206.168.34.0/24 2602:80d:1000::/44 2620:96:e000::/48
    `)
	},
	{
		owner: "Shadowserver",
		networks: [22168],
		addresses: words(`
      45.143.160.0/24 50.114.88.0/24 64.62.156.0/25 64.62.197.0/24 65.49.1.0/25 65.49.20.64/26 74.82.47.0/26
      108.165.44.0/24 146.19.20.0/24 154.9.2.0/23 154.16.223.0/24 154.16.230.0/24 154.16.240.0/24
      154.16.250.0/24 162.249.64.0/21 166.0.195.0/24 179.61.168.0/24 181.41.192.0/24 181.214.62.0/24
      181.214.90.0/24 181.214.234.0/24 181.214.245.0/24 181.215.138.0/24 181.215.145.0/24 181.215.208.0/24
      184.105.139.64/26 184.105.143.133 184.105.247.192/26 185.91.204.0/24 185.181.1.0/24 191.96.20.0/24
      191.96.22.0/24 191.96.127.0/24 191.101.103.0/24 216.218.206.64/26 2001:550:d0c::/48
    `)
	},
	{
		owner: "Shodan",
		networks: [],
		addresses: words(`
      2.59.22.234 64.225.74.178 64.226.86.7 64.227.90.185 66.240.192.138 66.240.205.34 66.240.219.146
      66.240.219.173 66.240.236.119 71.6.135.131 71.6.146.130 71.6.146.185 71.6.146.186 71.6.147.198
      71.6.147.254 71.6.158.166 71.6.165.200 71.6.167.142 71.6.199.23 80.82.77.33 80.82.77.139 82.221.105.6/31
      85.25.43.94 85.25.103.50 86.54.31.32 86.54.31.34 86.54.31.38 86.54.31.40 86.54.31.42 89.248.167.131
      89.248.172.16 93.120.27.62 93.174.95.106 94.102.49.190 94.102.49.193 104.131.0.69 134.209.95.237
      137.184.13.100 139.59.170.85 147.182.202.179 147.182.225.86 147.182.241.81 147.182.247.10 159.89.124.112
      164.92.106.15 164.92.114.247 165.227.55.4 165.227.62.247 165.227.172.206 165.227.188.42 178.128.32.203
      185.142.236.34/31 185.142.236.36 185.142.236.38 185.142.236.40 185.142.236.43 185.142.239.16
      185.165.190.17 185.165.190.34 185.165.191.26/31 185.181.102.18 188.138.9.50 195.144.21.56 198.20.69.74
      198.20.69.98 198.20.70.114 198.20.87.98 198.20.99.130 209.126.110.38 216.117.2.180
    `)
	},
	{
		owner: "Onyphe",
		networks: [213412],
		addresses: words(`
      5.196.200.240/28 15.235.189.144/28 45.43.33.210 45.43.33.218 51.254.49.96/28 79.137.65.46
      91.134.185.80/28 91.196.152.0/24 91.230.168.0/24 91.231.89.0/24 94.23.117.80/28 94.231.206.0/24
      139.99.35.32/28 149.202.99.192/28 195.184.76.0/24 2001:41d0:33a:a00::400/124 2001:41d0:33d:9200::400/124
      2a14:f100::/29
    `)
	},
	{
		owner: "Rapid7",
		networks: [],
		addresses: words(`
      5.63.151.96/27 31.24.231.211 31.24.231.223 71.6.233.0/24 88.202.190.128/27 109.123.117.224/27
      146.185.25.160/27
    `)
	},
	{
		owner: "Driftnet",
		networks: [211298],
		addresses: []
	},
	{
		owner: "Alpha Strike Labs",
		networks: [
			42969,
			208843,
			215778
		],
		addresses: []
	},
	{
		owner: "Modat",
		networks: [209334],
		addresses: words(`
      15.235.224.227 15.235.224.238/31 15.235.227.163 23.106.244.195 31.14.32.4/30 31.14.32.8 46.105.70.190
      51.161.172.223 51.161.174.170 54.37.81.238 57.128.230.106 57.129.64.10 57.129.64.219 57.129.64.237
      91.134.73.222 91.134.73.230 104.236.209.11 134.199.202.6 134.199.207.201 134.209.173.54 134.209.199.75
      148.113.193.79 148.113.206.49 148.113.208.45 148.113.210.228 148.113.210.254 148.113.212.55
      148.113.213.23 148.113.214.202 148.113.214.204 148.113.214.206 148.113.214.212 165.22.200.16
    `)
	},
	{
		owner: "the Internet Census Group",
		networks: [],
		addresses: words(`
      45.156.128.0/22 109.105.209.0/26 109.105.210.48/28 109.105.210.64/26 109.105.211.0/27 185.180.141.0/25
      185.226.196.0/27 185.226.197.0/25
    `)
	},
	{
		owner: "the University of Michigan",
		networks: [],
		addresses: words(`
      141.212.121.0/24 141.212.122.0/23
    `)
	},
	{
		owner: "the University of California, Berkeley",
		networks: [],
		addresses: words(`
      67.21.36.0/24 169.229.3.88/29
    `)
	},
	{
		owner: "RWTH Aachen University",
		networks: [],
		addresses: words(`
      137.226.113.0/26
    `)
	},
	{
		owner: "the University of Southern California",
		networks: [],
		addresses: words(`
      128.9.29.128/30 128.9.63.138 203.178.148.18
    `)
	},
	{
		owner: "Colorado State University",
		networks: [],
		addresses: words(`
      129.82.138.12 129.82.138.31 129.82.138.32/30 129.82.138.44
    `)
	},
	{
		owner: "Kudelski Security",
		networks: [],
		addresses: words(`
      185.35.62.0/24
    `)
	}
];
/** The addresses and prefixes of all of them. */
const RESEARCH_ADDRESSES = RESEARCH_SCANNERS.flatMap(({ addresses }) => addresses);
const RANGES = RESEARCH_SCANNERS.flatMap(({ owner, addresses }) => addresses.map((cidr) => {
	const range = parseCidr(cidr);
	if (!range) throw new Error(`bad prefix of a research scanner: ${cidr}`);
	return {
		...range,
		owner
	};
}));
const OWNER_OF_NETWORK = new Map(RESEARCH_SCANNERS.flatMap(({ owner, networks }) => networks.map((number) => [number, owner])));
/** Whose scanner stands at this address, where the table knows it. */
function researcherAt(ip) {
	return RANGES.find(({ first, last }) => compareIp(ip, first) >= 0 && compareIp(ip, last) <= 0)?.owner;
}
/** Whose scanners fill this AS. */
function researcherOfNetwork(asn) {
	return OWNER_OF_NETWORK.get(asn);
}
function words(text) {
	return text.trim().split(/\s+/);
}

export { SOURCE_KINDS as C, roleOf as S, TAGS as T, SnapshotRefused as _, homeSlot as a, infoOf as b, strengthOf as c, LATER_SECTIONS as d, MAGIC as f, SHARED_HOSTING_TAGS as g, SECTION_NAMES as h, buildTable as i, GrowingWords as l, SECTIONS as m, researcherAt as n, mapKey as o, PROTECTION as p, researcherOfNetwork as r, EvidencePool as s, RESEARCH_ADDRESSES as t, sortOrder as u, TAG_NAMES as v, SOURCE_ROLES as w, isThreat as x, align8 as y };