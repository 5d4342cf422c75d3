import { t as DAY_MS } from "./clock-Cypo2bh8.js";
import { t as hash64Into } from "./hashing-DLQqQgqD.js";
import { c as ipv4, d as parseIp, f as prefixRange, l as ipv6, m as specialPurpose, n as normaliseDomain, s as formatIp, u as parseCidr } from "./domain-kPPiJw5e.js";
import { C as SOURCE_KINDS, S as roleOf, T as TAGS, b as infoOf, c as strengthOf, f as MAGIC, g as SHARED_HOSTING_TAGS, h as SECTION_NAMES, i as buildTable, l as GrowingWords, o as mapKey, p as PROTECTION, s as EvidencePool, t as RESEARCH_ADDRESSES, u as sortOrder, v as TAG_NAMES, w as SOURCE_ROLES, x as isThreat, y as align8 } from "./research-scanners-CkdNVrH6.js";
import { n as isoDay } from "./time-text-Dd5R05a3.js";
import { t as VERSION } from "./version-CeV_Boaa.js";
import { t as normaliseAddressText } from "./address-text-D2a5B2S-.js";
import { createRequire } from "node:module";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { closeSync, createReadStream, createWriteStream, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { parse } from "tldts";
import { dirname, join, relative, resolve, sep } from "node:path";
import { constants, crc32, createGunzip, createInflateRaw, createZstdCompress, createZstdDecompress, gunzipSync } from "node:zlib";
import { once } from "node:events";
import { Reader } from "mmdb-lib";

// src/snapshot/country-votes.ts
/** Countries of AS numbers. Rows of one AS may disagree, so each row is a vote. */
var CountryVotes = class {
	#votes = /* @__PURE__ */ new Map();
	/** False when it is no country code. */
	add(asn, country) {
		if (!/^[A-Z]{2}$/.test(country)) return false;
		const list = this.#votes.get(asn);
		const known = list?.find((each) => each.country === country);
		if (known) known.votes++;
		else if (list) list.push({
			country,
			votes: 1
		});
		else this.#votes.set(asn, [{
			country,
			votes: 1
		}]);
		return true;
	}
	/** The country with the most votes; of several the first in the alphabet, so that the order of rows does not matter. */
	of(asn) {
		const [most] = (this.#votes.get(asn) ?? []).sort((a, b) => b.votes - a.votes || (a.country < b.country ? -1 : 1));
		return most?.country;
	}
};

// src/snapshot/near-counts.ts
const ADDRESSES_NEAR_MAX = 65535;
/** Listed addresses per /24, listed ranges per /48, listed addresses per ASN. */
var NearCounts = class {
	#near4 = /* @__PURE__ */ new Map();
	#near6 = /* @__PURE__ */ new Map();
	#starts = new GrowingWords();
	#sizes = new GrowingWords();
	addV4(start, end) {
		for (let at = start; at < end;) {
			const block = Math.floor(at / 256);
			const stop = Math.min(end, (block + 1) * 256);
			this.#near4.set(block, (this.#near4.get(block) ?? 0) + stop - at);
			at = stop;
		}
		this.#starts.push(start);
		this.#sizes.push(end - start);
	}
	/** First and last address, four words each; ranges wider than a /48 are no neighbour's fault. */
	addV6(address) {
		const block = address[0] * 65536 + (address[1] >>> 16);
		if (block !== address[4] * 65536 + (address[5] >>> 16)) return;
		this.#near6.set(block, (this.#near6.get(block) ?? 0) + 1);
	}
	perAsn(first, last, asn, asns) {
		const announced = new Float64Array(asns);
		for (let i = 0; i < first.length; i++) announced[asn[i]] += last[i] - first[i] + 1;
		const listed = new Float64Array(asns);
		let range = 0;
		for (let i = 0; i < this.#starts.length; i++) {
			const start = this.#starts.words[i];
			while (range < first.length && last[range] < start) range++;
			if (range < first.length && first[range] <= start) listed[asn[range]] += this.#sizes.words[i];
		}
		return Float32Array.from(listed, (count, i) => announced[i] ? count / announced[i] * 1e4 : 0);
	}
	sections() {
		const near4 = [...this.#near4].sort((a, b) => a[0] - b[0]);
		const near6 = [...this.#near6].sort((a, b) => a[0] - b[0]);
		const near6Keys = new Uint32Array(near6.length * 2);
		for (const [i, [block]] of near6.entries()) {
			near6Keys[i * 2] = Math.floor(block / 65536);
			near6Keys[i * 2 + 1] = block % 65536;
		}
		const counts = (blocks) => Uint16Array.from(blocks, ([, count]) => Math.min(count, ADDRESSES_NEAR_MAX));
		return {
			near4Keys: Uint32Array.from(near4, ([block]) => block),
			near4Counts: counts(near4),
			near6Keys,
			near6Counts: counts(near6)
		};
	}
};

// src/snapshot/sweep.ts
/**
* Cuts overlapping half-open intervals into disjoint ones. Calls `emit(start, end, active)` for every stretch that at
* least one interval covers, in ascending order; `active` holds the rows that cover it and is reused between calls.
* Positions are integers below 2^53; `order` arguments are rows sorted by start and by end.
*/
function sweep(starts, ends, byStart, byEnd, emit) {
	const count = byStart.length;
	const active = [];
	let opened = 0;
	let closed = 0;
	let position = 0;
	while (closed < count) {
		const nextStart = opened < count ? starts[byStart[opened]] : Number.POSITIVE_INFINITY;
		const nextEnd = active.length > 0 ? ends[byEnd[closed]] : Number.POSITIVE_INFINITY;
		const next = Math.min(nextStart, nextEnd);
		if (active.length > 0 && next > position) emit(position, next, active);
		position = next;
		while (closed < opened && ends[byEnd[closed]] === next) {
			const row = byEnd[closed++];
			const at = active.indexOf(row);
			active[at] = active[active.length - 1];
			active.pop();
		}
		while (opened < count && starts[byStart[opened]] === next) active.push(byStart[opened++]);
	}
}
/** IPv4: the addresses themselves are the positions. */
function sweepV4(first, last, emit) {
	const count = first.length;
	const starts = new Float64Array(count);
	const ends = new Float64Array(count);
	for (let i = 0; i < count; i++) {
		starts[i] = first[i];
		ends[i] = last[i] + 1;
	}
	sweep(starts, ends, sortOrder([first], count), sortOrder([last], count), emit);
}
/** The rank of every boundary of 128-bit ranges, so that positions fit a number. */
var BoundaryRanks = class {
	starts;
	ends;
	#words;
	/** Row of #words that holds the boundary of each rank. */
	#rowOfRank = [];
	/** `last` must be below the highest address, so that the boundary after it exists. */
	constructor(first, last, count) {
		const words = [
			0,
			1,
			2,
			3
		].map(() => new Uint32Array(count * 2));
		for (let w = 0; w < 4; w++) words[w].set(first[w].subarray(0, count));
		for (let i = 0; i < count; i++) {
			let carry = 1;
			for (let w = 3; w >= 0; w--) {
				const sum = last[w][i] + carry;
				words[w][count + i] = sum;
				carry = sum > 4294967295 ? 1 : 0;
			}
		}
		this.#words = words;
		this.starts = new Float64Array(count);
		this.ends = new Float64Array(count);
		let rank = -1;
		let previous = -1;
		for (const row of sortOrder(words, count * 2)) {
			if (previous < 0 || words.some((word) => word[row] !== word[previous])) {
				rank++;
				this.#rowOfRank.push(row);
			}
			previous = row;
			if (row < count) this.starts[row] = rank;
			else this.ends[row - count] = rank;
		}
	}
	/** The address at a rank, `minus` 0 or 1, written into out[at..at+3]. */
	write(rank, minus, out, at) {
		const row = this.#rowOfRank[rank];
		let borrow = minus;
		for (let w = 3; w >= 0; w--) {
			const difference = this.#words[w][row] - borrow;
			out[at + w] = difference;
			borrow = difference < 0 ? 1 : 0;
		}
	}
	sweep(emit) {
		const count = this.starts.length;
		const order = (ranks) => sortOrder([Uint32Array.from(ranks)], count);
		sweep(this.starts, this.ends, order(this.starts), order(this.ends), emit);
	}
};

// src/snapshot/ranges.ts
function flattenV4(rows, pool, dropped, near) {
	const rowFirst = rows.first[0].view();
	const rowLast = rows.last[0].view();
	const evidence = rows.value.words;
	const first = new GrowingWords();
	const last = new GrowingWords();
	const sets = new GrowingWords();
	const ids = [];
	sweepV4(rowFirst, rowLast, (start, end, active) => {
		ids.length = 0;
		let narrowThreat = false;
		for (const row of active) {
			const id = evidence[row];
			if (!ids.includes(id)) ids.push(id);
			if (!narrowThreat && rowLast[row] - rowFirst[row] < 256) narrowThreat = pool.isThreat(id);
		}
		const set = pool.resolve(ids, "ip", dropped);
		if (set === 0) return;
		if (narrowThreat && pool.sets[set].some((id) => pool.isThreat(id))) near.addV4(start, end);
		const previous = sets.length - 1;
		if (previous >= 0 && sets.words[previous] === set && last.words[previous] + 1 === start) {
			last.words[previous] = end - 1;
			return;
		}
		first.push(start);
		last.push(end - 1);
		sets.push(set);
	});
	return {
		first: first.view(),
		last: last.view(),
		value: sets.view()
	};
}
function flattenV6(rows, pool, dropped, near) {
	const ranks = ranksOf(rows);
	const evidence = rows.value.words;
	const bounds = new GrowingWords();
	const sets = new GrowingWords();
	const ids = [];
	const address = /* @__PURE__ */ new Uint32Array(8);
	ranks.sweep((start, end, active) => {
		ids.length = 0;
		for (const row of active) {
			const id = evidence[row];
			if (!ids.includes(id)) ids.push(id);
		}
		const set = pool.resolve(ids, "ip", dropped);
		if (set === 0) return;
		if (pool.sets[set].some((id) => pool.isThreat(id))) {
			ranks.write(start, 0, address, 0);
			ranks.write(end, 1, address, 4);
			near.addV6(address);
		}
		const previous = sets.length - 1;
		if (previous >= 0 && sets.words[previous] === set && bounds.words[bounds.length - 1] === start) {
			bounds.words[bounds.length - 1] = end;
			return;
		}
		bounds.push(start);
		bounds.push(end);
		sets.push(set);
	});
	return rankedRanges(ranks, bounds, sets.view());
}
function ranksOf(rows) {
	const words = (side) => side.map((word) => word.view());
	return new BoundaryRanks(words(rows.first), words(rows.last), rows.value.length);
}
function rankedRanges(ranks, bounds, value) {
	const first = new Uint32Array(value.length * 4);
	const last = new Uint32Array(value.length * 4);
	for (let i = 0; i < value.length; i++) {
		ranks.write(bounds.words[i * 2], 0, first, i * 4);
		ranks.write(bounds.words[i * 2 + 1], 1, last, i * 4);
	}
	return {
		first,
		last,
		value
	};
}
function flattenAsn4(rows) {
	const rowFirst = rows.first[0].view();
	const rowLast = rows.last[0].view();
	const asn = rows.value.words;
	const first = new GrowingWords();
	const last = new GrowingWords();
	const value = new GrowingWords();
	sweepV4(rowFirst, rowLast, (start, end, active) => {
		let best = active[0];
		for (const row of active) {
			const wider = rowLast[row] - rowFirst[row] - (rowLast[best] - rowFirst[best]);
			if (wider < 0 || wider === 0 && asn[row] < asn[best]) best = row;
		}
		const previous = value.length - 1;
		if (previous >= 0 && value.words[previous] === asn[best] && last.words[previous] + 1 === start) {
			last.words[previous] = end - 1;
			return;
		}
		first.push(start);
		last.push(end - 1);
		value.push(asn[best]);
	});
	return {
		first: first.view(),
		last: last.view(),
		value: value.view()
	};
}
function flattenAsn6(rows) {
	const ranks = ranksOf(rows);
	const asn = rows.value.words;
	const bounds = new GrowingWords();
	const value = new GrowingWords();
	const width = (row) => ranks.ends[row] - ranks.starts[row];
	ranks.sweep((start, end, active) => {
		let best = active[0];
		for (const row of active) {
			const wider = width(row) - width(best);
			if (wider < 0 || wider === 0 && asn[row] < asn[best]) best = row;
		}
		const previous = value.length - 1;
		if (previous >= 0 && value.words[previous] === asn[best] && bounds.words[bounds.length - 1] === start) {
			bounds.words[bounds.length - 1] = end;
			return;
		}
		bounds.push(start);
		bounds.push(end);
		value.push(asn[best]);
	});
	return rankedRanges(ranks, bounds, value.view());
}
/** For every value of the top 16 bits, the first range whose end reaches it: a look-up starts in the right place. */
function topIndex(last, words) {
	const count = last.length / words;
	const index = /* @__PURE__ */ new Uint32Array(65537);
	let range = 0;
	for (let top = 0; top < 65536; top++) {
		while (range < count && last[range * words] >>> 16 < top) range++;
		index[top] = range;
	}
	index[65536] = count;
	return index;
}

// src/snapshot/rows.ts
/** Rows of a hash table: key, key of the registrable name above, evidence. */
var KeyedRows = class {
	high = new GrowingWords();
	low = new GrowingWords();
	parentHigh = new GrowingWords();
	parentLow = new GrowingWords();
	evidence = new GrowingWords();
	add(key, parent, evidence) {
		this.low.push(key[0]);
		this.high.push(key[1]);
		this.parentLow.push(parent[0]);
		this.parentHigh.push(parent[1]);
		this.evidence.push(evidence);
	}
};
/** Ranges with a value, one or four words an address. */
var RangeRows = class {
	first;
	last;
	value = new GrowingWords();
	constructor(words) {
		this.first = Array.from({ length: words }, () => new GrowingWords());
		this.last = Array.from({ length: words }, () => new GrowingWords());
	}
	add(range, value) {
		if (this.first.length === 1) {
			this.addV4(range.first.w3, range.last.w3, value);
			return;
		}
		pushWords(this.first, range.first);
		pushWords(this.last, range.last);
		this.value.push(value);
	}
	addV4(first, last, value) {
		this.first[0].push(first);
		this.last[0].push(last);
		this.value.push(value);
	}
};
function pushWords(out, ip) {
	out[0].push(ip.w0);
	out[1].push(ip.w1);
	out[2].push(ip.w2);
	out[3].push(ip.w3);
}

// src/lib/whole-file.ts
/** `mode`: who may read it; default 0o666 without what the process masks. */
function beginWholeFile(file, { mode } = {}) {
	mkdirSync(dirname(file), { recursive: true });
	const partial = `${file}.${process.pid}.partial`;
	const descriptor = openSync(partial, "w", mode);
	let open = true;
	const close = () => {
		if (!open) return;
		open = false;
		closeSync(descriptor);
	};
	return {
		put(bytes) {
			for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
		},
		keep() {
			fsyncSync(descriptor);
			close();
			renameSync(partial, file);
		},
		discard() {
			close();
			rmSync(partial, { force: true });
		}
	};
}

// src/snapshot/write.ts
function nameSections(numbers, names) {
	const asnNameStarts = new Uint32Array(numbers.length + 1);
	const encoded = Array.from(numbers, (number) => Buffer.from(names.get(number) ?? "", "utf8"));
	let at = 0;
	for (const [i, name] of encoded.entries()) {
		asnNameStarts[i] = at;
		at += name.length;
	}
	asnNameStarts[numbers.length] = at;
	return {
		asnNameStarts,
		asnNames: new Uint8Array(Buffer.concat(encoded))
	};
}
/** The letters of every ASN's country, zeros where none is known. */
function countrySection(numbers, countryOf) {
	const letters = new Uint8Array(numbers.length * 2);
	for (const [i, number] of numbers.entries()) {
		const country = countryOf(number);
		if (country === void 0) continue;
		letters[i * 2] = country.charCodeAt(0);
		letters[i * 2 + 1] = country.charCodeAt(1);
	}
	return letters;
}
function writeFile(file, sections, partial) {
	const identity = createHash("sha256");
	identity.update(JSON.stringify([
		1,
		partial.sources,
		partial.tags,
		partial.counts
	]));
	const entries = {};
	let offset = 0;
	for (const name of SECTION_NAMES) {
		const section = sections[name];
		entries[name] = {
			offset,
			length: section.length
		};
		identity.update(bytesOf(section));
		offset = align8(offset + section.byteLength);
	}
	const header = {
		version: `${isoDay(partial.built_at_ms)}-${identity.digest("hex").slice(0, 8)}`,
		...partial,
		sections: entries
	};
	const json = Buffer.from(JSON.stringify(header), "utf8");
	const headerBytes = align8(24 + json.length);
	const bytes = headerBytes + offset + 32;
	const head = Buffer.alloc(headerBytes, 32);
	head.write(MAGIC, 0, "latin1");
	head.writeUInt32LE(1, 8);
	head.writeUInt32LE(headerBytes - 24, 12);
	head.writeDoubleLE(bytes, 16);
	json.copy(head, 24);
	const output = beginWholeFile(file);
	try {
		const checksum = createHash("sha256");
		const put = (chunk) => {
			checksum.update(chunk);
			output.put(chunk);
		};
		put(head);
		for (const name of SECTION_NAMES) {
			const chunk = bytesOf(sections[name]);
			put(chunk);
			const padding = align8(chunk.length) - chunk.length;
			if (padding > 0) put(new Uint8Array(padding));
		}
		output.put(checksum.digest());
		output.keep();
	} catch (error) {
		output.discard();
		throw error;
	}
	return {
		info: infoOf(header),
		bytes
	};
}
function bytesOf(section) {
	return new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
}

// src/snapshot/compile.ts
const CONFIDENCE_STEPS = 1e4;
function createCompiler(options) {
	const today = Math.floor(options.nowMs / DAY_MS);
	const dropped = {
		expired: 0,
		platform: 0,
		protected: 0,
		downgraded: 0,
		bad_value: 0
	};
	const sources = /* @__PURE__ */ new Map();
	const sourceList = [];
	const pool = new EvidencePool(sourceList);
	const domains = new KeyedRows();
	const emails = new KeyedRows();
	const v4 = new RangeRows(1);
	const v6 = new RangeRows(4);
	const asnEvidence = /* @__PURE__ */ new Map();
	const asnNames = /* @__PURE__ */ new Map();
	const countries = new CountryVotes();
	const asn4 = new RangeRows(1);
	const asn6 = new RangeRows(4);
	const protection = /* @__PURE__ */ new Map();
	const key = /* @__PURE__ */ new Uint32Array(2);
	const parentKey = /* @__PURE__ */ new Uint32Array(2);
	let announcer;
	let locator;
	let lastRow;
	let lastKind;
	let lastEvidence = -1;
	function evidenceOf(kind, row) {
		if (lastRow && lastKind === kind && lastRow.source === row.source && lastRow.tag === row.tag && lastRow.firstSeenMs === row.firstSeenMs && lastRow.lastSeenMs === row.lastSeenMs && lastRow.confidence === row.confidence) {
			if (lastEvidence >= 0) sourceList[pool.records[lastEvidence].source].rows++;
			else dropped.expired++;
			return lastEvidence;
		}
		const source = sources.get(row.source);
		if (!source) throw new Error(`Source ${row.source} was not declared to the compiler.`);
		const tag = TAG_NAMES.indexOf(row.tag);
		if (tag < 0) throw new Error(`Source ${row.source} uses the unknown tag ${row.tag}.`);
		lastRow = { ...row };
		lastKind = kind;
		const lastDay = Math.min(today, Math.max(0, Math.floor(row.lastSeenMs / DAY_MS)));
		const firstDay = row.firstSeenMs === void 0 ? 0 : Math.min(lastDay, Math.max(0, Math.floor(row.firstSeenMs / DAY_MS)));
		const ageDays = today - lastDay;
		if (source.expiryDays !== void 0 && ageDays > source.expiryDays) {
			dropped.expired++;
			lastEvidence = -1;
			return -1;
		}
		const aged = source.halfLifeDays === void 0 ? row.confidence : row.confidence * .5 ** (ageDays / source.halfLifeDays);
		const confidence = Math.round(Math.min(1, Math.max(0, aged)) * CONFIDENCE_STEPS);
		source.rows++;
		source.kinds.add(kind);
		source.roles.add(roleOf(row.tag));
		lastEvidence = pool.intern({
			source: source.number,
			tag,
			firstDay,
			lastDay,
			confidence
		});
		return lastEvidence;
	}
	function addDomain(name, row) {
		const evidence = evidenceOf("domain", row);
		if (evidence < 0) return;
		hash64Into(name, key);
		parentKey[0] = 0;
		parentKey[1] = 0;
		if (isThreat(row.tag)) {
			const parsed = parse(name, { allowPrivateDomains: true });
			if (parsed.isPrivate && parsed.publicSuffix === name) {
				dropped.platform++;
				return;
			}
			if (parsed.domain && parsed.domain !== name) hash64Into(parsed.domain, parentKey);
		}
		const flags = strengthOf(PROTECTION.domain[row.tag]) | (SHARED_HOSTING_TAGS.has(row.tag) ? 4 : 0);
		if (flags !== 0) {
			const at = mapKey(key[1], key[0]);
			protection.set(at, (protection.get(at) ?? 0) | flags);
		}
		domains.add(key, parentKey, evidence);
	}
	function addIp(range, row) {
		if (range.first.version !== range.last.version) throw new Error("A range lies in one IP version.");
		if (!fits(range)) {
			dropped.bad_value++;
			return;
		}
		const evidence = evidenceOf("ip", row);
		if (evidence < 0) return;
		(range.first.version === 4 ? v4 : v6).add(range, evidence);
	}
	return {
		source(source) {
			if (sources.has(source.id)) throw new Error(`Source ${source.id} is declared twice.`);
			const state = {
				...source,
				number: sourceList.length,
				kinds: new Set(source.announces ? ["ip"] : source.locates ? ["asn"] : []),
				roles: new Set(source.announces || source.locates ? ["network"] : []),
				rows: 0
			};
			if (source.announces) announcer = state;
			locator = source.locates ? state : void 0;
			sources.set(source.id, state);
			sourceList.push(state);
		},
		add(row) {
			if (row.kind === "domain") return addDomain(row.value, row);
			if (row.kind === "email") {
				const evidence = evidenceOf("email", row);
				if (evidence < 0) return;
				hash64Into(row.value, key);
				parentKey.fill(0);
				return emails.add(key, parentKey, evidence);
			}
			if (row.kind === "ip") {
				const range = parseCidr(row.value);
				if (range) return addIp(range, row);
				dropped.bad_value++;
				return;
			}
			const number = Number(row.value);
			if (!Number.isInteger(number) || number < 1 || number > 4294967295) {
				dropped.bad_value++;
				return;
			}
			const evidence = evidenceOf("asn", row);
			if (evidence < 0) return;
			const list = asnEvidence.get(number);
			if (list) list.push(evidence);
			else asnEvidence.set(number, [evidence]);
		},
		addRange: addIp,
		addAsnRange(range, asn, name) {
			if (!fits(range)) {
				dropped.bad_value++;
				return;
			}
			(range.first.version === 4 ? asn4 : asn6).add(range, asn);
			announce(asn, name);
		},
		addAsnRangeV4(first, last, asn, name) {
			asn4.addV4(first, last, asn);
			announce(asn, name);
		},
		addAsnCountry(asn, country) {
			if (!countries.add(asn, country)) dropped.bad_value++;
			else if (locator) locator.rows++;
		},
		writeTo(file) {
			const sections = {};
			const domainTable = buildTable(domains, pool, dropped, protection);
			const emailTable = buildTable(emails, pool, dropped, void 0);
			sections.domains = domainTable.slots;
			sections.emails = emailTable.slots;
			const near = new NearCounts();
			const ranges4 = flattenV4(v4, pool, dropped, near);
			const ranges6 = flattenV6(v6, pool, dropped, near);
			Object.assign(sections, {
				v4First: ranges4.first,
				v4Last: ranges4.last,
				v4Set: ranges4.value,
				v4Index: topIndex(ranges4.last, 1),
				v6First: ranges6.first,
				v6Last: ranges6.last,
				v6Set: ranges6.value,
				v6Index: topIndex(ranges6.last, 4)
			});
			const numbers = Uint32Array.from(/* @__PURE__ */ new Set([...asnNames.keys(), ...asnEvidence.keys()])).sort();
			const indexOf = /* @__PURE__ */ new Map();
			for (const [i, number] of numbers.entries()) indexOf.set(number, i);
			const announced4 = flattenAsn4(asn4);
			const announced6 = flattenAsn6(asn6);
			const toIndex = (values) => values.map((number) => indexOf.get(number));
			const asn4Asn = toIndex(announced4.value);
			Object.assign(sections, {
				asn4First: announced4.first,
				asn4Last: announced4.last,
				asn4Asn,
				asn4Index: topIndex(announced4.last, 1),
				asn6First: announced6.first,
				asn6Last: announced6.last,
				asn6Asn: toIndex(announced6.value),
				asn6Index: topIndex(announced6.last, 4),
				asnNumbers: numbers,
				asnSets: numbers.map((number) => pool.resolve(asnEvidence.get(number) ?? [], "plain", dropped)),
				asnPer10k: near.perAsn(announced4.first, announced4.last, asn4Asn, numbers.length),
				...nameSections(numbers, asnNames),
				asnCountries: countrySection(numbers, (asn) => countries.of(asn)),
				...near.sections()
			});
			const canonical = pool.canonical(sections);
			Object.assign(sections, canonical.sections);
			const sourcesOut = canonical.sourceOrder.map((number) => {
				const source = sourceList[number];
				return {
					id: source.id,
					name: source.name,
					licence: source.licence,
					kinds: SOURCE_KINDS.filter((kind) => source.kinds.has(kind)),
					roles: SOURCE_ROLES.filter((role) => source.roles.has(role)),
					rows: source.rows,
					as_of_ms: source.asOfMs
				};
			});
			return {
				...writeFile(file, sections, {
					built_at_ms: options.nowMs,
					sources: sourcesOut,
					tags: TAG_NAMES,
					counts: {
						domains: domainTable.count,
						emails: emailTable.count,
						ipv4: ranges4.first.length,
						ipv6: ranges6.first.length / 4
					},
					dropped,
					domain_homes: domainTable.homes,
					email_homes: emailTable.homes
				}),
				dropped
			};
		}
	};
	function announce(asn, name) {
		if (announcer) announcer.rows++;
		if (!asnNames.has(asn)) asnNames.set(asn, name);
		else if (name !== "" && name < asnNames.get(asn)) asnNames.set(asn, name);
	}
}
/** The boundary after a range must exist, and the range must not be empty. */
function fits({ first, last }) {
	if (first.version === 4) return first.w3 <= last.w3;
	if (last.w0 === 4294967295 && last.w1 === 4294967295 && last.w2 === 4294967295 && last.w3 === 4294967295) return false;
	return (first.w0 - last.w0 || first.w1 - last.w1 || first.w2 - last.w2 || first.w3 - last.w3) <= 0;
}

// src/feeds/free-mail.ts
/**
* Domains under which anyone can have a mailbox: free mail, and the mail that access providers give their customers. The
* best-known ones stand in giants.ts, which also protects them. This list is our own: published ones mix in company
* sites, and a wrong entry would call an employee's address a private one.
*/
const FREE_MAIL_DOMAINS = words$1(`
  yahoo.ie yahoo.gr yahoo.pl yahoo.ro yahoo.se yahoo.no yahoo.dk yahoo.nl yahoo.be yahoo.at yahoo.ch yahoo.pt yahoo.cz
  yahoo.hu yahoo.fi yahoo.com.sg yahoo.com.my yahoo.com.ph yahoo.com.vn yahoo.com.tr yahoo.com.co yahoo.com.pe
  yahoo.com.ve yahoo.com.cn yahoo.cn yahoo.cl yahoo.co.id yahoo.co.th yahoo.co.nz yahoo.co.za yahoo.co.kr myyahoo.com
  hotmail.be hotmail.nl hotmail.se hotmail.no hotmail.dk hotmail.fi hotmail.gr hotmail.ca hotmail.at hotmail.ch
  hotmail.ru hotmail.cl hotmail.hu hotmail.cz hotmail.ro hotmail.sg hotmail.my hotmail.com.au hotmail.com.br
  hotmail.com.ar hotmail.com.mx hotmail.com.tr hotmail.co.jp hotmail.co.nz hotmail.co.za hotmail.co.th hotmail.co.id
  live.be live.ca live.dk live.se live.no live.fi live.de live.at live.it live.ie live.in live.jp live.cn live.hk live.cl
  live.ru live.co.za live.com.mx live.com.ar live.com.pt live.com.sg live.com.my live.com.ph windowslive.com msn.co.uk
  outlook.at outlook.be outlook.cl outlook.cz outlook.dk outlook.hu outlook.ie outlook.in outlook.kr outlook.lv
  outlook.my outlook.ph outlook.pt outlook.sa outlook.sg outlook.sk outlook.com.ar outlook.com.au outlook.com.br
  outlook.com.gr outlook.com.tr outlook.com.vn outlook.co.id outlook.co.il outlook.co.th
  aol.de aol.fr aol.it aol.es aol.jp love.com ygm.com netscape.net netscape.com compuserve.com cs.com
  gmx.fr gmx.it gmx.es gmx.us gmx.eu gmx.li gmx.org gmx.info gmx.biz caramail.com
  usa.com myself.com consultant.com post.com europe.com asia.com iname.com writeme.com dr.com engineer.com cheerful.com
  accountant.com techie.com linuxmail.org lawyer.com uymail.com contractor.net workmail.com chef.net doctor.com
  musician.org journalist.com programmer.net financier.com photographer.net teachers.org therapist.net salesperson.net
  publicist.com representative.com execs.com socialworker.net graphic-designer.com hairdresser.net repairman.com
  legislator.com minister.com politician.com registerednurses.com scientist.com secretary.net technologist.com
  webname.com collector.org comic.com cyberdude.com cybergal.com deliveryman.com diplomats.com fireman.net
  gardener.com geologist.com groupmail.com hilarious.com homemail.com hot-shot.com housemail.com humanoid.net
  inorbit.com insurer.com instruction.com instructor.net irelandmail.com israelmail.com italymail.com keromail.com
  kittymail.com koreamail.com lobbyist.com loveable.com mexicomail.com mindless.com moscowmail.com munich.com muslim.com
  net-shopping.com null.net nycmail.com optician.com orthodontist.net pediatrician.com petlover.com physicist.net
  planetmail.com planetmail.net polandmail.com presidency.com priest.com protestant.com qualityservice.com
  radiologist.net realtyagent.com reborn.com rescueteam.com safrica.com saintly.com sanfranmail.com songwriter.net
  soon.com spainmail.com surgical.net swedenmail.com swissmail.com tech-center.com torontomail.com tvstar.com umpire.com
  whoever.com bartender.net bikerider.com brew-master.com catlover.com chemist.com columnist.com
  computer4u.com counsellor.com dublin.com galaxyhit.com arcticmail.com artlover.com
  auctioneer.net australiamail.com berlin.com boardermail.com ihateclowns.com innocent.com
  protonmail.ch tutanota.de tutamail.com keemail.me mailfence.com disroot.org riseup.net autistici.org kolabnow.com
  vivaldi.net murena.io e.email librem.one skiff.com safe-mail.net countermail.com lavabit.com atomicmail.io mail.de
  email.de mykolab.com ctemplar.com inbox.com usa.net excite.com lycos.com lycos.co.uk lycos.de lycos.es lycos.it
  mail2world.com fastmail.co.uk fastmail.net fastmail.us fastmail.de sent.com fastem.com mailc.net mail.ee zoho.in zoho.eu
  talktalk.co.uk tiscali.co.uk virgin.net freeserve.co.uk o2.co.uk btopenworld.com lineone.net supanet.com onetel.com
  plus.com madasafish.com fsmail.net uwclub.net eircom.net iol.ie indigo.ie
  online.de onlinehome.de kabelmail.de vodafonemail.de unitybox.de o2online.de firemail.de magenta.de
  alice-dsl.net netcologne.de osnanet.de ewe.net ewetel.net aon.at a1.net chello.at utanet.at liwest.at inode.at
  hispeed.ch sunrise.ch bluemail.ch swissonline.ch hetnet.nl chello.nl casema.nl quicknet.nl upcmail.nl xs4all.nl
  zonnet.nl tele2.nl online.nl kpnplanet.nl zeelandnet.nl solcon.nl caiway.nl proximus.be scarlet.be voo.be
  club-internet.fr numericable.fr bbox.fr cegetel.net aliceadsl.fr voila.fr noos.fr 9online.fr
  tim.it fastwebnet.it iol.it poste.it inwind.it blu.it email.it supereva.it teletu.it interfree.it
  telefonica.net ono.com terra.es ya.com movistar.es jazztel.es euskaltel.net wanadoo.es hispavista.com
  netcabo.pt iol.pt clix.pt meo.pt mail.telepac.pt telia.com comhem.se bredband.net tele2.se spray.se home.se
  glocalnet.net online.no broadpark.no getmail.no start.no c2i.net mail.dk stofanet.dk jubii.dk ofir.dk
  luukku.com kolumbus.fi suomi24.fi pp.inet.fi elisanet.fi saunalahti.fi
  op.pl vp.pl poczta.onet.pl poczta.fm tlen.pl buziaczek.pl go2.pl interia.eu autograf.pl spoko.pl onet.eu
  email.cz post.cz atlas.cz volny.cz sweb.cz centrum.sk azet.sk zoznam.sk post.sk
  freemail.hu citromail.hu indamail.hu vipmail.hu t-online.hu upcmail.hu mail.bg dir.bg lex.bg
  otenet.gr forthnet.gr hol.gr freemail.gr mail.gr mynet.com ttmail.com superonline.com inbox.lv inbox.lt hot.ee apollo.lv
  pochta.ru hotbox.ru yandex.by yandex.kz yandex.ua narod.ru ro.ru autorambler.ru myrambler.ru newmail.ru
  mail.ua meta.ua bigmir.net email.ua online.ua
  tom.com vip.163.com vip.qq.com 188.com wo.cn sogou.com 263.net netvigator.com pchome.com.tw hinet.net
  biglobe.ne.jp ocn.ne.jp so-net.ne.jp plala.or.jp excite.co.jp i.softbank.jp au.com ymobile.ne.jp yahoo.ne.jp
  korea.com dreamwiz.com empas.com paran.com hanmir.com rediff.com in.com vsnl.net singnet.com.sg tm.net.my
  streamyx.com vnn.vn telkom.net pldtdsl.net walla.com netvision.net.il bezeqint.net 012.net.il zahav.net.il maktoob.com
  webmail.co.za mweb.co.za telkomsa.net vodamail.co.za ananzi.co.za
  bigpond.net.au ozemail.com.au tpg.com.au westnet.com.au internode.on.net dodo.com.au adam.com.au aapt.net.au
  iprimus.com.au slingshot.co.nz clear.net.nz paradise.net.nz ihug.co.nz orcon.net.nz
  cogeco.ca videotron.ca bell.net eastlink.ca mts.net sasktel.net nb.sympatico.ca
  roadrunner.com rr.com twc.com windstream.net centurylink.net centurytel.net embarqmail.com mindspring.com
  suddenlink.net cableone.net mchsi.com tds.net wowway.com rcn.com pacbell.net swbell.net ameritech.net snet.net
  flash.net prodigy.net q.com qwest.net optimum.net hawaiiantel.net zoominternet.net frontiernet.net fuse.net ptd.net
  terra.com terra.cl terra.com.mx uol.com.ar fibertel.com.ar speedy.com.ar arnet.com.ar ciudad.com.ar prodigy.net.mx
  oi.com.br zipmail.com.br superig.com.br ibest.com.br pop.com.br brturbo.com.br adinet.com.uy une.net.co etb.net.co
  cantv.net vtr.net
`);
function words$1(text) {
	return text.trim().split(/\s+/);
}

// src/feeds/giants.ts
/**
* Names and addresses known without any list. They ship with the server so that the first start already knows what
* must not be condemned, and what strangers share.
*/
/** Mailbox providers with millions of users: free mail, never disposable. */
const MAIL_PROVIDERS = words(`
  gmail.com googlemail.com outlook.com outlook.fr outlook.de outlook.es outlook.it outlook.jp hotmail.com hotmail.co.uk
  hotmail.fr hotmail.de hotmail.it hotmail.es live.com live.co.uk live.fr live.nl live.com.au msn.com passport.com
  yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.com.br yahoo.co.jp yahoo.co.in yahoo.in
  yahoo.com.au yahoo.com.mx yahoo.com.ar yahoo.com.tw yahoo.com.hk ymail.com rocketmail.com aol.com aol.co.uk aim.com
  icloud.com me.com mac.com proton.me protonmail.com pm.me tutanota.com tuta.com tuta.io fastmail.com fastmail.fm
  zoho.com zohomail.com zohomail.eu gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.co.uk web.de mail.com email.com freenet.de
  t-online.de arcor.de mailbox.org posteo.de posteo.net hushmail.com runbox.com startmail.com hey.com mail.ru bk.ru
  list.ru inbox.ru internet.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net i.ua abv.bg seznam.cz centrum.cz onet.pl
  wp.pl o2.pl interia.pl gazeta.pl libero.it virgilio.it alice.it tin.it tiscali.it orange.fr wanadoo.fr free.fr sfr.fr
  laposte.net neuf.fr bluewin.ch telenet.be skynet.be ziggo.nl kpnmail.nl planet.nl home.nl btinternet.com
  btconnect.com sky.com virginmedia.com ntlworld.com blueyonder.co.uk talktalk.net comcast.net verizon.net att.net
  sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com netzero.net frontier.com optonline.net
  rogers.com shaw.ca sympatico.ca telus.net bigpond.com optusnet.com.au iinet.net.au xtra.co.nz uol.com.br bol.com.br
  terra.com.br ig.com.br globo.com sapo.pt rediffmail.com indiatimes.com qq.com foxmail.com 163.com 126.com
  yeah.net 139.com 189.cn sina.com sina.cn sohu.com aliyun.com naver.com daum.net hanmail.net nate.com
  docomo.ne.jp ezweb.ne.jp softbank.ne.jp nifty.com walla.co.il
`);
/** Services that forward to a real mailbox on purpose: private, not throw-away. */
const MAIL_RELAYS = words(`
  privaterelay.appleid.com duck.com mozmail.com relay.firefox.com simplelogin.com
  simplelogin.co simplelogin.fr simplelogin.io aleeas.com slmail.me slmails.com silomails.com 8alias.com 8shield.net
  dralias.com anonaddy.com anonaddy.me addy.io passmail.com passmail.net passinbox.com passfwd.com 33mail.com
  erine.email fwdnow.com opayq.com abine.com ironvest.com reply.github.com
  users.noreply.github.com marketplace.amazon.com
`);
/** Organisations whose own names no list entry may condemn. */
const KNOWN_GOOD_DOMAINS = words(`
  google.com youtube.com gstatic.com googleapis.com googleusercontent.com android.com apple.com icloud.com
  microsoft.com office.com office365.com live.com windows.com windows.net azure.com microsoftonline.com sharepoint.com
  linkedin.com github.com gitlab.com bitbucket.org amazon.com amazonaws.com cloudfront.net facebook.com instagram.com
  whatsapp.com meta.com twitter.com x.com t.co telegram.org t.me wikipedia.org wikimedia.org mozilla.org firefox.com
  cloudflare.com akamai.com fastly.com fastly.net paypal.com stripe.com visa.com mastercard.com americanexpress.com
  adobe.com salesforce.com oracle.com ibm.com sap.com dropbox.com box.com zoom.us slack.com notion.so atlassian.com
  docusign.com docusign.net netflix.com spotify.com ebay.com walmart.com yahoo.com bing.com duckduckgo.com baidu.com
  qq.com taobao.com alibaba.com yandex.ru yandex.net vk.com reddit.com stackoverflow.com npmjs.com python.org debian.org
  ubuntu.com kernel.org ietf.org w3.org iana.org icann.org isc.org letsencrypt.org digicert.com verisign.com godaddy.com
  namecheap.com wordpress.org wordpress.com shopify.com squarespace.com wix.com weebly.com canva.com bbc.co.uk bbc.com
  cnn.com nytimes.com theguardian.com europa.eu gov.uk who.int un.org
`);
/**
* Further names of well-known organisations: where their mail, pictures, updates and customers' accounts live. To one
* who knows only the first name, paypalobjects.com looks like an imitation.
*/
const FURTHER_NAMES = words(`
  appleid.com apple-dns.net apple-cloudkit.com apple-mapkit.com apple.news applepay.com aaplimg.com mzstatic.com
  icloud-content.com cdn-apple.com itunes.com beatsbydre.com google-analytics.com googletagmanager.com
  googletagservices.com googlesyndication.com googleadservices.com googlevideo.com googleoptimize.com google.dev
  withgoogle.com googlemail.com doubleclick.net ggpht.com ytimg.com youtube-nocookie.com youtubekids.com gvt1.com
  gvt2.com chrome.com chromium.org recaptcha.net waze.com fitbit.com nest.com deepmind.com microsoft365.com
  office.net outlookmobile.com windowsupdate.com windowsazure.com msftconnecttest.com msftncsi.com msftauth.net
  msauth.net msauthimages.net msedge.net msn.com bingapis.com skype.com skypeforbusiness.com lync.com xboxlive.com
  xboxservices.com hotmail.com passport.com microsoftstore.com microsoftteams.com azure.net msidentity.com
  microsoftonline-p.com microsoftonline-p.net linkedin.cn licdn.com githubassets.com github.dev githubcopilot.com
  npmjs.org minecraft.net mojang.com amazon-adsystem.com amazonpay.com amazonses.com amazontrust.com amazonalexa.com
  amazonprime.com media-amazon.com ssl-images-amazon.com images-amazon.com primevideo.com aboutamazon.com
  awsstatic.com kindle.com audible.com twitch.tv ttvnw.net jtvnw.net imdb.com zappos.com fb.com fbcdn.net fbsbx.com
  facebook.net facebookmail.com metamail.com cdninstagram.com whatsapp.net oculus.com messenger.com threads.net
  twimg.com twttr.com redditmedia.com redditstatic.com redd.it pinimg.com snapchat.com tiktokcdn.com tiktokv.com
  netflix.net nflxvideo.net nflximg.net nflxext.com nflxso.net spotifycdn.com scdn.co disney-plus.net disneyplus.com
  bamgrid.com hbomax.com hulu.com paypalobjects.com paypal-mktg.com paypalcorp.com paypal-communication.com
  paypal-community.com braintreegateway.com braintreepayments.com venmo.com xoom.com joinhoney.com stripe.network
  stripecdn.com link.com squareup.com squarecdn.com square-mail.com squareupmessaging.com cash.app afterpay.com
  klarnacdn.net klarnaservices.com adyenpayments.com worldpay.com sagepay.com opayo.co.uk gocardless.com mollie.com
  aexp.com aexp-static.com mastercardservices.com visaonline.com discovercard.com discover.com dinersclub.com
  zellepay.com westernunion.com moneygram.com transferwise.com jpmorganchase.com jpmchase.com jpmorgan.com bofa.com
  ml.com merrilledge.com wellsfargoadvisors.com wellsfargoemail.com citibankonline.com citigroup.com
  capitalone360.com capitalonebank.com schwab.com fidelityinvestments.com vanguardinvestor.co.uk goldmansachs.com
  morganstanleyclientserv.com hsbcnet.com hsbcprivatebank.com firstdirect.com barclaycard.co.uk barclayscorp.com
  barclaysbank.com barclayswealth.com lloydsbankinggroup.com halifax-online.co.uk bankofscotland.co.uk
  natwestgroup.com rbs.com natwestmarkets.com nwolb.com santanderbank.com tescobank.com sainsburysbank.co.uk
  johnlewisfinance.com johnlewismoney.com marksandspencerbank.com virginmoney.com nationwide-intermediary.co.uk
  co-operativebank.co.uk metrobankonline.co.uk commerzbank.com comdirect.de deutsche-bank.com dws.com ing-diba.de
  sparkassen-finanzportal.de bnpparibasfortis.be bnpparibasfortis.com bnpparibas-am.com societegenerale.com
  creditmutuel.fr cic.fr santanderconsumer.com bbvacompass.com caixabankresearch.com unicreditgroup.eu
  intesasanpaoloprivatebanking.com adobe.io adobelogin.com adobedtm.com adobesc.com adobecqms.net adobesign.com
  adobesigncdn.com echosign.com typekit.net typekit.com omtrdc.net photoshop.com behance.net exacttarget.com
  slack-edge.com slackb.com slack-imgs.com slack-files.com slackhq.com atl-paas.net zoomgov.com zoom.com
  docusignmail.com dropboxapi.com dropboxstatic.com dropbox-dns.com boxcdn.net notion.com evernote.com shopifysvc.com
  shopifycdn.com shopify-analytics.com shopifyemail.com shopifycloud.com mailchimp.com mailchimpapp.net sendgrid.com
  mailgun.com postmarkapp.com hubspot.com hs-analytics.net zdassets.com zohocorp.com zohocdn.com freshworks.com
  intercom.io intercomcdn.com servicenow.com workday.com myworkday.com successfactors.com sapsf.com concur.com
  concursolutions.com ariba.com coupahost.com netsuite.com ibmcloud.com redhat.com vmware.com ciscospark.com
  webex.com umbrella.com opendns.com intuit.net quickbooks.com turbotax.com creditkarma.com xero.com sage.com
  sageone.com freeagent.com adp.com paychexonline.com gusto.com deel.com rippling.com cloudflare-dns.com
  cloudflareinsights.com cloudflarestream.com one.one akamai.net akamaitechnologies.com fastlylb.net cdnjs.com
  bootstrapcdn.com jquery.com wp.com gravatar.com automattic.com sectigo.com globalsign.com entrust.net identrust.com
  lencr.org usertrust.com dhlparcel.nl dhl-parcel.es dhlecommerce.nl dpdhl.com deutschepost.de dpdgroup.com
  dpdlocal.co.uk fedexoffice.com upsemail.com ups-mi.net royalmailgroup.com parcelforce.com postoffice.co.uk usps.gov
  evri.com hermesworld.com gls-group.eu colissimo.fr laposte.net postnl.nl bpost.be airbnbmail.com muscache.com
  bstatic.com bookingholdings.com ubereats.com uberinternal.com lyftmail.com expediagroup.com expediamail.com
  tripadvisor.co.uk lufthansa-group.com miles-and-more.com britishairways.com iairgroup.com hiltonhonors.com
  ebaystatic.com ebayimg.com ebayinc.com walmartimages.com targetimg1.com bbystatic.com homedepot.com thdstatic.com
  ikea.net aliexpress.com alicdn.com alipay.com tmall.com taobaocdn.com tencent.com weixin.com wechat.com
  bdstatic.com rakuten.com mercadolibre.com mercadopago.com siemens-energy.com siemens-healthineers.com
  bosch-home.com boschrexroth.com bosch-professional.com bmwgroup.com mercedes-benz-group.com volkswagen-group.com
  volkswagen-newsroom.com toyota-europe.com samsungcloud.com samsungapps.com samsungelectronics.com sonypictures.com
  sonymusic.com playstationnetwork.com playstation.net sonyentertainmentnetwork.com nintendo.net nintendo-europe.com
  steampowered.com steamcommunity.com steamstatic.com steamcontent.com epicgames.dev unrealengine.com ea.com
  origin.com battle.net blizzard.com riotgames.com roblox.com rbxcdn.com vodafonemail.de btplc.com openreach.co.uk
  virginmediao2.co.uk att-mail.com verizonwireless.com xfinity.com comcastbusiness.net nhs.net parliament.uk mod.uk
  bundesregierung.de bund.de admin.ch coinbase.com coinbaseprime.com binance.com binance.org blockchain.com
  metamask.io ledger.com trezor.io opensea.io openai.com chatgpt.com oaistatic.com anthropic.com claude.ai
  huggingface.co
`);
/** Dynamic-DNS names that the public suffix list does not have: whoever wants gets a host below them. */
const DYNAMIC_DNS_DOMAINS = words(`
  mooo.com chickenkiller.com us.to uk.to ftp.sh bot.nu undo.it soon.it jumpingcrab.com ignorelist.com crabdance.com
  strangled.net twilightparadox.com privatedns.org ydns.eu ddns.net hopto.org sytes.net zapto.org 3utilities.com
  bounceme.net serveftp.com myftp.org myftp.biz no-ip.org no-ip.biz no-ip.info duckdns.org dynu.net ddnsfree.com
  kozow.com dynv6.net dynu.com freedns.afraid.org changeip.com 25u.com dns.army dns.navy v6.army v6.rocks
  cloudns.asia cloudns.cx dns-cloud.net dnsabr.com gleeze.com
`);
/** Names and addresses of documentation and tests, which lists collect by accident. */
const DOCUMENTATION_DOMAINS = words(`
  example.com example.net example.org mydomain.com domain.com localhost.localdomain
`);
/** Public resolvers: everybody's traffic passes there. */
const RESOLVERS = words(`
  8.8.8.8 8.8.4.4 2001:4860:4860::8888 2001:4860:4860::8844 1.1.1.1 1.0.0.1 1.1.1.2 1.0.0.2 1.1.1.3 1.0.0.3
  2606:4700:4700::1111 2606:4700:4700::1001 9.9.9.9 149.112.112.112 9.9.9.10 9.9.9.11 2620:fe::fe 2620:fe::9
  208.67.222.222 208.67.220.220 208.67.222.123 208.67.220.123 2620:119:35::35 2620:119:53::53 94.140.14.14 94.140.15.15
  94.140.14.15 94.140.15.16 2a10:50c0::ad1:ff 2a10:50c0::ad2:ff 76.76.2.0 76.76.10.0 185.228.168.9 185.228.169.9
  64.6.64.6 64.6.65.6 4.2.2.1 4.2.2.2 4.2.2.3 4.2.2.4 4.2.2.5 4.2.2.6 77.88.8.8 77.88.8.1 114.114.114.114
  114.114.115.115 223.5.5.5 223.6.6.6 119.29.29.29 180.76.76.76 84.200.69.80 84.200.70.40 8.26.56.26 8.20.247.20
  195.46.39.39 195.46.39.40 91.239.100.100 89.233.43.71 74.82.42.42 2001:470:20::2
`);
/** Where the mail of large providers leaves, as they publish it. */
const MAIL_ADDRESSES = words(`
  64.233.160.0/19 66.102.0.0/20 66.249.80.0/20 72.14.192.0/18 74.125.0.0/16 108.177.8.0/21 108.177.96.0/19
  172.217.0.0/19 172.217.32.0/20 172.217.128.0/19 172.217.160.0/20 172.217.192.0/19 172.253.56.0/21 172.253.112.0/20
  173.194.0.0/16 209.85.128.0/17 216.58.192.0/19 216.239.32.0/19 2607:f8b0:4000::/36 2a00:1450:4000::/36
  40.92.0.0/15 40.107.0.0/16 52.100.0.0/15 52.102.0.0/16 52.103.0.0/17 104.47.0.0/17 185.70.40.0/22
  103.168.172.0/24
`);
/**
* Networks that large providers use themselves and rent to nobody: front ends, sign-in, mailboxes, and the machines
* that read the web for a search engine, some of which stand in the middle of a rented cloud.
*/
const OWN_ADDRESSES = words(`
  142.250.0.0/15 172.217.0.0/16 172.253.0.0/16 216.58.192.0/19 13.107.6.0/24 13.107.64.0/18 13.107.128.0/22
  13.107.136.0/22 20.190.128.0/18 40.126.0.0/18 52.96.0.0/14 52.112.0.0/14 132.245.0.0/16 150.171.32.0/22
  204.79.197.0/24 13.66.139.0/24 13.66.144.0/24 13.67.10.16/28 13.69.66.240/28 13.71.172.224/28 20.15.133.160/27
  20.36.108.32/28 20.43.120.16/28 20.74.197.0/28 20.79.107.240/28 20.125.163.80/28 40.77.139.0/25 40.77.167.0/24
  40.77.177.0/24 40.77.178.0/23 40.77.188.0/22 40.77.202.0/24 40.79.131.208/28 40.79.186.176/28 51.105.67.0/28
  52.167.144.0/24 52.231.148.0/28 65.55.210.0/24 139.217.52.0/28 157.55.39.0/24 191.233.204.224/28 199.30.24.0/23
  207.46.13.0/24
  17.0.0.0/8 66.249.64.0/20 140.82.112.0/20 192.30.252.0/22 208.80.152.0/22
  185.15.56.0/22 198.35.26.0/23 31.13.64.0/18 157.240.0.0/16 179.60.192.0/22 185.60.216.0/22 2a03:2880::/32
  2620:0:860::/46
`);
/** Content delivery networks, as they publish them: behind each address stand many sites. */
const CDN_ADDRESSES = words(`
  173.245.48.0/20 103.21.244.0/22 103.22.200.0/22 103.31.4.0/22 141.101.64.0/18 108.162.192.0/18 190.93.240.0/20
  188.114.96.0/20 197.234.240.0/22 198.41.128.0/17 162.158.0.0/15 104.16.0.0/13 104.24.0.0/14 172.64.0.0/13
  131.0.72.0/22 2400:cb00::/32 2606:4700::/32 2803:f800::/32 2405:b500::/32 2405:8100::/32 2a06:98c0::/29
  2c0f:f248::/32 23.235.32.0/20 43.249.72.0/22 103.245.222.0/23 103.245.224.0/24 104.156.80.0/20
  140.248.128.0/17 146.75.0.0/17 151.101.0.0/16 157.52.64.0/18 167.82.0.0/17 172.111.64.0/18
  185.31.16.0/22 185.199.108.0/22 199.232.0.0/16 2a04:4e42::/32
`);
/** Networks whose owners run exits of the Tor network and little else. */
const TOR_ADDRESSES = words(`
  185.220.100.0/22 23.129.64.0/24 192.42.116.0/24 171.25.193.0/24
`);
/** AS numbers of companies that rent servers to anyone. */
const HOSTING_NETWORKS = words(`
  16509 14618 8987 396982 14061 16276 24940 213230 63949 20473 12876 51167 40021 197540 8560 36352 53667 46606 26496
  22612 47583 60781 28753 30633 395954 9009 62240 212238 60068 135377 45102 37963 132203 45090 136907 55990 31898 36351
  19318 25820 8100 29802 49505 9123 197695 35916 55286 32097 20860 21859 64267 50673 49981 202425 204601
`);
/**
* Hosts on which strangers publish under a path. A URL there condemns neither the host nor the platform: the row is
* left out, because an indicator is a host and the path is what was bad. A leading dot means every name below.
*/
const SHARED_HOSTS = words(`
  docs.google.com drive.google.com sites.google.com forms.gle forms.google.com script.google.com www.google.com
  google.com storage.googleapis.com storage.cloud.google.com firebasestorage.googleapis.com translate.goog
  groups.google.com photos.google.com maps.google.com goo.gl g.co youtube.com youtu.be github.com gist.github.com
  raw.githubusercontent.com gist.githubusercontent.com objects.githubusercontent.com gitlab.com bitbucket.org
  sourceforge.net codeberg.org dropbox.com www.dropbox.com dl.dropboxusercontent.com box.com app.box.com onedrive.live.com
  1drv.ms .sharepoint.com forms.office.com forms.microsoft.com sway.office.com sway.cloud.microsoft aka.ms mediafire.com
  www.mediafire.com mega.nz mega.io wetransfer.com we.tl transfer.sh file.io gofile.io anonfiles.com pixeldrain.com
  catbox.moe files.catbox.moe pastebin.com paste.ee hastebin.com rentry.co rentry.org telegra.ph t.me telegram.me
  discord.com discord.gg cdn.discordapp.com media.discordapp.net facebook.com www.facebook.com m.facebook.com fb.me
  instagram.com www.instagram.com linkedin.com www.linkedin.com lnkd.in twitter.com x.com t.co reddit.com
  www.reddit.com medium.com tumblr.com vk.com ok.ru pinterest.com tiktok.com www.tiktok.com steamcommunity.com
  store.steampowered.com s3.amazonaws.com bit.ly bitly.com j.mp tinyurl.com rebrand.ly ow.ly is.gd v.gd cutt.ly
  rb.gy shorturl.at tiny.cc t.ly bl.ink buff.ly qrco.de qr.ae s.id urlz.fr u.to clck.ru adf.ly linktr.ee
  beacons.ai bio.link solo.to campsite.bio canva.com www.canva.com notion.so www.notion.so figma.com www.figma.com
  trello.com airtable.com typeform.com jotform.com form.jotform.com jotform.me surveymonkey.com docusign.net
  adobe.com indd.adobe.com express.adobe.com new.express.adobe.com acrobat.adobe.com issuu.com scribd.com
  slideshare.net archive.org web.archive.org ipfs.io gateway.ipfs.io cloudflare-ipfs.com dweb.link w3s.link
  gateway.pinata.cloud arweave.net pub.dev npmjs.com unpkg.com cdn.jsdelivr.net codepen.io cdpn.io codesandbox.io
  jsfiddle.net replit.com glitch.com wordpress.com wix.com www.wix.com click.mailchimp.com mailchi.mp
`);
function words(text) {
	return [...new Set(text.split(/\s+/).filter((word) => word !== ""))];
}

// src/feeds/packed-asn.ts
/** Hands every row on. Undefined when the file holds the ranges of another version. */
function readPackedAsnRanges(packed, version, sink) {
	const { buffer, byteOffset, length } = gunzipSync(packed);
	const bytes = buffer.slice(byteOffset, byteOffset + length);
	const headerBytes = new Uint32Array(bytes, 0, 1)[0];
	const header = JSON.parse(Buffer.from(bytes, 4, headerBytes).toString("utf8"));
	if (header.version !== version) return void 0;
	const names = new Map(header.names);
	const words = new Uint32Array(bytes, 4 + headerBytes);
	let at = 0;
	const next = () => words[at++];
	for (let row = 0; row < header.rowsV4; row++) {
		const [first, last, asn] = [
			next(),
			next(),
			next()
		];
		sink.addAsnRangeV4(first, last, asn, names.get(asn) ?? "");
	}
	for (let row = 0; row < header.rowsV6; row++) {
		const first = ipv6(next(), next(), next(), next());
		const last = ipv6(next(), next(), next(), next());
		const asn = next();
		sink.addAsnRange({
			first,
			last
		}, asn, names.get(asn) ?? "");
	}
	return {
		rows: header.rowsV4 + header.rowsV6,
		junk: header.junk
	};
}

// src/feeds/parse/asn-countries.ts
/** A line a country: `NZ 9,12-15` are its AS numbers. Returns AS numbers taken and parts that made no sense. */
function readAsnCountries(text, compiler) {
	let rows = 0;
	let junk = 0;
	for (const line of text.split("\n")) {
		const [country = "", runs = ""] = line.split(" ");
		if (line === "") continue;
		for (const run of runs.split(",")) {
			const [first = NaN, last = first] = run.split("-").map(Number);
			if (!(first >= 1 && last >= first && last - first < 1e5 && last <= 4294967295)) {
				junk++;
				continue;
			}
			for (let asn = first; asn <= last; asn++) compiler.addAsnCountry(asn, country);
			rows += last - first + 1;
		}
	}
	return {
		rows,
		junk
	};
}

// src/feeds/parse/asn-ranges.ts
/**
* `first,last,asn,name` with decimal addresses, as @ip-location-db/asn ships them: half a million rows and 32 MB, so it
* is read byte by byte and the name is decoded once per AS. Returns rows taken and rows that made no sense.
*/
function readAsnRangesV4(bytes, sink) {
	const reader = new AsnRows(bytes);
	let rows = 0;
	let junk = 0;
	while (reader.more()) {
		const first = reader.decimal();
		const last = reader.decimal();
		const asn = reader.decimal();
		const name = reader.name(asn);
		if (first < 0 || last < first || last > 4294967295 || asn < 1 || asn > 4294967295) junk++;
		else {
			sink.addAsnRangeV4(first, last, asn, name);
			rows++;
		}
	}
	return {
		rows,
		junk
	};
}
/** As readAsnRangesV4 for 128-bit decimal addresses. */
function readAsnRangesV6(bytes, sink) {
	const reader = new AsnRows(bytes);
	let rows = 0;
	let junk = 0;
	const first = /* @__PURE__ */ new Uint32Array(4);
	const last = /* @__PURE__ */ new Uint32Array(4);
	while (reader.more()) {
		const valid = reader.decimal128(first);
		const validLast = reader.decimal128(last);
		const asn = reader.decimal();
		const name = reader.name(asn);
		if (!valid || !validLast || asn < 1 || asn > 4294967295) junk++;
		else {
			sink.addAsnRange({
				first: ipv6(first[0], first[1], first[2], first[3]),
				last: ipv6(last[0], last[1], last[2], last[3])
			}, asn, name);
			rows++;
		}
	}
	return {
		rows,
		junk
	};
}
const COMMA = 44;
const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
var AsnRows = class {
	#bytes;
	#names = /* @__PURE__ */ new Map();
	#at = 0;
	constructor(bytes) {
		this.#bytes = bytes;
	}
	more() {
		return this.#at < this.#bytes.length;
	}
	/** The number up to the next comma, or -1; the end of the line is left for name() to take. */
	decimal() {
		const bytes = this.#bytes;
		let value = 0;
		const start = this.#at;
		for (; this.#at < bytes.length; this.#at++) {
			const byte = bytes[this.#at];
			if (byte === COMMA) break;
			if (byte === NEWLINE) return -1;
			value = byte >= 48 && byte <= 57 ? value * 10 + byte - 48 : NaN;
		}
		const empty = this.#at === start;
		this.#at++;
		return empty || Number.isNaN(value) ? -1 : value;
	}
	/** Four words, most significant first; false when it is no number of 128 bits. */
	decimal128(words) {
		const bytes = this.#bytes;
		const limbs = [
			0,
			0,
			0,
			0,
			0,
			0,
			0,
			0
		];
		let valid = this.#at < bytes.length && bytes[this.#at] !== COMMA;
		while (this.#at < bytes.length) {
			let chunk = 0;
			let scale = 1;
			let byte = 0;
			for (; this.#at < bytes.length && scale < 1e9; this.#at++) {
				byte = bytes[this.#at];
				if (byte === COMMA || byte === NEWLINE) break;
				if (byte < 48 || byte > 57) valid = false;
				chunk = chunk * 10 + byte - 48;
				scale *= 10;
			}
			let carry = chunk;
			for (let i = 7; i >= 0; i--) {
				const sum = limbs[i] * scale + carry;
				limbs[i] = sum % 65536;
				carry = Math.floor(sum / 65536);
			}
			if (carry !== 0) valid = false;
			if (byte === NEWLINE) return false;
			if (bytes[this.#at] === COMMA) break;
		}
		this.#at++;
		for (let w = 0; w < 4; w++) words[w] = limbs[w * 2] * 65536 + limbs[w * 2 + 1];
		return valid;
	}
	/** The rest of the line, quoted or not. */
	name(asn) {
		const bytes = this.#bytes;
		const start = this.#at;
		let end = bytes.indexOf(NEWLINE, start);
		if (end < 0) end = bytes.length;
		this.#at = end + 1;
		const known = this.#names.get(asn);
		if (known !== void 0) return known;
		if (end > start && bytes[end - 1] === RETURN) end--;
		let name = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
		if (bytes[start] === QUOTE) name = name.slice(1, -1).replaceAll("\"\"", "\"");
		this.#names.set(asn, name);
		return name;
	}
};

// src/feeds/bundled.ts
const require = createRequire(new URL("../feeds/bundled.js", import.meta.url).href);
function packageFile(name, path) {
	return readFileSync(packagePath(name, path));
}
function packagePath(name, path) {
	for (const base of require.resolve.paths(name) ?? []) try {
		readFileSync(join(base, name, "package.json"));
		return join(base, name, path);
	} catch {}
	throw new Error(`The package ${name} is not installed; run npm ci.`);
}
function addDomains(compiler, names, { id, asOfMs, confidence, seenMs = () => ({ lastSeenMs: asOfMs }) }, tagOf) {
	let rows = 0;
	let junk = 0;
	for (const text of names) {
		const result = normaliseDomain(text);
		const tag = "name" in result ? tagOf(result.name) : void 0;
		if (!("name" in result) || !tag) {
			junk++;
			continue;
		}
		rows++;
		compiler.add({
			kind: "domain",
			value: result.name,
			source: id,
			tag,
			confidence,
			...seenMs(text)
		});
	}
	return {
		rows,
		junk
	};
}
const RELAYS = new Set(MAIL_RELAYS);
const DOCUMENTATION = new Set(DOCUMENTATION_DOMAINS);
const DYNAMIC_DNS = new Set(DYNAMIC_DNS_DOMAINS);
const FREE_MAIL = new Set(FREE_MAIL_DOMAINS);
const NO_MAILBOXES = new Set(KNOWN_GOOD_DOMAINS);
for (const provider of MAIL_PROVIDERS) NO_MAILBOXES.delete(provider);
function isPlatform(name) {
	const parsed = parse(name, { allowPrivateDomains: true });
	return parsed.isPrivate === true && parsed.publicSuffix === name;
}
function disposableTag(name) {
	return DOCUMENTATION.has(name) ? void 0 : RELAYS.has(name) ? "relay" : "disposable";
}
const DISPOSABLE_HALF_LIFE_DAYS = 1460;
const disposableEmailDomains = {
	id: "disposable-email-domains",
	name: "Disposable email domains",
	package: "disposable-email-domains-js",
	version: "1.26.0",
	licence: "CC0-1.0",
	asOfMs: Date.parse("2026-09-21"),
	halfLifeDays: DISPOSABLE_HALF_LIFE_DAYS,
	origin: "disposable-lists",
	read(compiler) {
		return addDomains(compiler, JSON.parse(packageFile(this.package, "dist/dict/disposable_email_blocklist.json").toString("utf8")), {
			...this,
			confidence: .9
		}, disposableTag);
	}
};
const fakefilter = {
	id: "fakefilter",
	name: "FakeFilter: disposable mail domains seen at their providers",
	package: "fakefilter",
	version: "0.1.1476",
	licence: "BSD-3-Clause",
	asOfMs: Date.parse("2026-05-13"),
	halfLifeDays: DISPOSABLE_HALF_LIFE_DAYS,
	read(compiler) {
		const data = JSON.parse(packageFile(this.package, "json/data.json").toString("utf8"));
		const seenMs = (text) => {
			const { firstseen, lastseen } = data.domains[text];
			return {
				firstSeenMs: firstseen * 1e3,
				lastSeenMs: lastseen * 1e3
			};
		};
		return addDomains(compiler, Object.keys(data.domains), {
			...this,
			confidence: .95,
			seenMs
		}, disposableTag);
	}
};
/** Sites with visitors and staff of their own that this list calls throw-away. */
const NOT_DISPOSABLE = /* @__PURE__ */ new Set([
	"angi.com",
	"com.com",
	"craigslist.org",
	"facebookmail.com",
	"gocardless.dev",
	"interpath.com",
	"joi.com",
	"netherlandsandyou.nl",
	"pronouns.org",
	"salla.dev",
	"steamstat.us"
]);
const disposableDomains = {
	id: "disposable-domains",
	name: "Temporary mail domains, gathered from many lists",
	package: "disposable-domains",
	version: "2.0.1",
	licence: "MIT",
	asOfMs: Date.parse("2026-08-24"),
	halfLifeDays: DISPOSABLE_HALF_LIFE_DAYS,
	origin: "disposable-lists",
	read(compiler) {
		return addDomains(compiler, JSON.parse(packageFile(this.package, "index.json").toString("utf8")), {
			...this,
			confidence: .7
		}, (name) => {
			if (DOCUMENTATION.has(name) || NO_MAILBOXES.has(name)) return void 0;
			if (NOT_DISPOSABLE.has(name) || FREE_MAIL.has(name)) return void 0;
			if (RELAYS.has(name)) return "relay";
			return isPlatform(name) || DYNAMIC_DNS.has(name) ? "dynamic_dns" : "disposable";
		});
	}
};
const asnRanges = {
	id: "ip-location-db-asn",
	name: "IP to AS number (RouteViews, DB-IP)",
	package: "@ip-location-db/asn",
	version: "2.3.2026061719",
	licence: "CC-BY-4.0",
	asOfMs: Date.parse("2026-06-17"),
	announces: true,
	read(compiler) {
		return (existsSync(BUILT_ASN_RANGES) ? readPackedAsnRanges(readFileSync(BUILT_ASN_RANGES), this.version, compiler) : void 0) ?? readAsnPackage(compiler);
	}
};
function readAsnPackage(sink) {
	const v4 = readAsnRangesV4(packageFile(asnRanges.package, "asn-ipv4-num.csv"), sink);
	const v6 = readAsnRangesV6(packageFile(asnRanges.package, "asn-ipv6-num.csv"), sink);
	return {
		rows: v4.rows + v6.rows,
		junk: v4.junk + v6.junk
	};
}
/** Written by tools/asn-countries.ts: a line a country, with the AS numbers that are registered in it (`NZ 9,12-15`). */
const ASN_COUNTRIES = join((import.meta.dirname + "/../feeds"), "asn-countries.txt");
const asnCountries = {
	id: "asn-countries",
	name: "Country of AS numbers (IPtoASN)",
	package: "assay",
	version: VERSION,
	licence: "PDDL-1.0",
	asOfMs: Date.parse("2026-06-17"),
	locates: true,
	read(compiler) {
		return readAsnCountries(readFileSync(ASN_COUNTRIES, "utf8"), compiler);
	}
};
const giants = {
	id: "assay-giants",
	name: "Assay's own list: well-known organisations, their names and networks",
	package: "assay",
	version: VERSION,
	licence: "Apache-2.0",
	asOfMs: Date.parse("2026-11-15"),
	read(compiler) {
		const options = {
			...this,
			confidence: 1
		};
		let rows = 0;
		for (const [names, tag] of [
			[MAIL_PROVIDERS, "mail_provider"],
			[MAIL_PROVIDERS, "freemail"],
			[FREE_MAIL_DOMAINS, "freemail"],
			[MAIL_RELAYS, "relay"],
			[MAIL_RELAYS, "known_good"],
			[KNOWN_GOOD_DOMAINS, "known_good"],
			[FURTHER_NAMES, "known_good"],
			[DYNAMIC_DNS_DOMAINS, "dynamic_dns"]
		]) rows += addDomains(compiler, names, options, () => tag).rows;
		const evidence = {
			source: this.id,
			lastSeenMs: this.asOfMs,
			confidence: 1
		};
		for (const [kind, values, tag] of [
			[
				"ip",
				RESOLVERS,
				"resolver"
			],
			[
				"ip",
				MAIL_ADDRESSES,
				"mail_provider"
			],
			[
				"ip",
				OWN_ADDRESSES,
				"big_provider"
			],
			[
				"ip",
				CDN_ADDRESSES,
				"cdn"
			],
			[
				"ip",
				TOR_ADDRESSES,
				"tor_exit"
			],
			[
				"ip",
				RESEARCH_ADDRESSES,
				"research_scanner"
			],
			[
				"asn",
				HOSTING_NETWORKS,
				"hosting"
			]
		]) {
			rows += values.length;
			for (const value of values) compiler.add({
				kind,
				value,
				tag,
				...evidence
			});
		}
		return {
			rows,
			junk: 0
		};
	}
};
const BUNDLED_SOURCES = [
	giants,
	disposableEmailDomains,
	fakefilter,
	disposableDomains,
	asnRanges,
	asnCountries
];
/** Declares and reads every bundled source; `without` leaves out those a feed replaces. */
function addBundled(compiler, without = /* @__PURE__ */ new Set()) {
	const reports = [];
	for (const source of BUNDLED_SOURCES) {
		if (without.has(source.id)) continue;
		compiler.source(source);
		reports.push({
			id: source.id,
			...source.read(compiler)
		});
	}
	return reports;
}
/** Where a build leaves the ranges of AS numbers packed: a snapshot is compiled from them. */
const BUILT_ASN_RANGES = join((import.meta.dirname + "/../feeds"), "../../dist/asn-ranges.gz");
/** Where an install leaves that snapshot compiled, so that a first start only has to open it. */
const BUILT_SNAPSHOT = join((import.meta.dirname + "/../feeds"), "../../dist/bundled.snapshot");
/** The snapshot of a first start, from the packages alone. */
function compileBundled(options) {
	const compiler = createCompiler({ nowMs: options.nowMs });
	const bundled = addBundled(compiler);
	return {
		...compiler.writeTo(options.file),
		bundled
	};
}

// src/feeds/parse/indicators.ts
/**
* Text to indicators. An indicator is a host or an address: a URL gives its host. A URL on a host where strangers
* publish under paths (docs.google.com/…) gives nothing, since condemning the host would condemn its other users;
* a URL on a tenant's own host (evil.pages.dev) gives that host; the platform itself is never given.
*/
/** What the values of a feed are. `any` tells them apart one by one. */
const VALUE_KINDS = [
	"domain",
	"url",
	"ip",
	"asn",
	"email",
	"any"
];
const NOTHING = {};
const PREFIX_V4_MIN = 8;
const PREFIX_V6_MIN = 19;
const sharedExact = new Set(SHARED_HOSTS.filter((host) => !host.startsWith(".")));
const sharedBelow = SHARED_HOSTS.filter((host) => host.startsWith("."));
function isSharedHost(host) {
	if (sharedExact.has(host) || host.startsWith("www.") && sharedExact.has(host.slice(4))) return true;
	return sharedBelow.some((suffix) => host.endsWith(suffix));
}
var Indicators = class {
	#sink;
	#stripWww;
	#condemns;
	report;
	/**
	* `stripWww` for lists of sites by origin, where `www.example.com` stands for the site `example.com`; `condemns`
	* false for lists of good sites, which may well name a platform.
	*/
	constructor(sink, report, options = {}) {
		this.#sink = sink;
		this.#stripWww = options.stripWww ?? false;
		this.#condemns = options.condemns ?? true;
		this.report = report;
	}
	take(kind, text, extra = NOTHING) {
		if (kind === "domain") this.domain(text, extra);
		else if (kind === "url") this.url(text, extra);
		else if (kind === "ip") this.ip(text, extra);
		else if (kind === "asn") this.asn(text, extra);
		else if (kind === "email") this.email(text, extra);
		else this.any(text, extra);
	}
	any(text, extra = NOTHING) {
		if (text.includes("://")) this.url(text, extra);
		else if (parseCidr(text)) this.ip(text, extra);
		else if (text.includes("@")) this.email(text, extra);
		else if (/^AS\d+$/i.test(text)) this.asn(text, extra);
		else if (/[/:?]/.test(text)) this.url(text, extra);
		else this.domain(text, extra);
	}
	domain(text, extra = NOTHING) {
		let name = text;
		if (name.startsWith("*.")) name = name.slice(2);
		else if (name.startsWith(".")) name = name.slice(1);
		const result = normaliseDomain(name);
		if ("name" in result) {
			this.#emit({
				kind: "domain",
				value: result.name,
				...extra
			});
			return;
		}
		if (result.problem === "ip_address" && parseIp(name)) this.ip(name, extra);
		else this.report.reject(result.problem === "public_suffix" ? "public_suffix" : "bad_name", text);
	}
	url(text, extra = NOTHING) {
		const host = urlHost(text);
		if (host === void 0) {
			this.report.reject(text.startsWith("/") ? "path_only" : "not_an_indicator", text);
			return;
		}
		if (parseIp(host)) {
			this.ip(host, extra);
			return;
		}
		const result = normaliseDomain(host);
		if (!("name" in result)) {
			this.report.reject(result.problem === "public_suffix" ? "public_suffix" : "bad_name", text);
			return;
		}
		if (this.#condemns && (isSharedHost(result.name) || isPrivateSuffix(result.name))) this.report.reject("shared_platform", text);
		else this.#emit({
			kind: "domain",
			value: result.name,
			...extra
		});
	}
	/** An address or a prefix. */
	ip(text, extra = NOTHING) {
		const range = parseCidr(text);
		if (!range) {
			this.report.reject("not_an_indicator", text);
			return;
		}
		if (range.prefix < (range.first.version === 4 ? PREFIX_V4_MIN : PREFIX_V6_MIN)) {
			this.report.reject("too_broad", text);
			return;
		}
		if (isSpecial(range)) {
			this.report.reject("special", text);
			return;
		}
		const bits = range.first.version === 4 ? 32 : 128;
		const address = formatIp(range.first);
		this.#emit({
			kind: "ip",
			value: range.prefix === bits ? address : `${address}/${range.prefix}`,
			...extra
		});
	}
	asn(text, extra = NOTHING) {
		const number = /^(?:AS)?([0-9]{1,10})$/i.exec(text.trim())?.[1];
		if (number === void 0 || Number(number) < 1 || Number(number) > 4294967295) {
			this.report.reject("not_an_indicator", text);
			return;
		}
		this.#emit({
			kind: "asn",
			value: String(Number(number)),
			...extra
		});
	}
	email(text, extra = NOTHING) {
		const address = normaliseAddressText(text);
		const at = address.lastIndexOf("@");
		const host = normaliseDomain(address.slice(at + 1));
		if (at < 1 || at > 64 || /\s/u.test(address) || !("name" in host)) {
			this.report.reject("not_an_indicator", text);
			return;
		}
		this.#emit({
			kind: "email",
			value: `${address.slice(0, at)}@${host.name}`,
			...extra
		});
	}
	asnRange(range, asn, asnName, country) {
		const value = `${formatIp(range.first)}-${formatIp(range.last)}`;
		this.#emit({
			kind: "asn_range",
			value,
			asn,
			asnName,
			...country !== void 0 && { country }
		});
	}
	#emit(row) {
		this.report.rows++;
		if (this.#stripWww && row.kind === "domain" && /^www\.[^.]+\./.test(row.value)) this.#sink({
			...row,
			value: row.value.slice(4)
		});
		else this.#sink(row);
	}
};
function isSpecial({ first, last }) {
	return specialPurpose(first) !== void 0 || specialPurpose(last) !== void 0;
}
function isPrivateSuffix(name) {
	const parsed = parse(name, { allowPrivateDomains: true });
	return parsed.isPrivate === true && parsed.publicSuffix === name;
}
/** The host of a URL with or without scheme: no user, port or brackets. */
function urlHost(text) {
	let rest = text;
	const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(rest);
	if (scheme) rest = rest.slice(scheme[0].length);
	else if (rest.startsWith("//")) rest = rest.slice(2);
	const end = rest.search(/[/?#\\]/);
	if (end >= 0) rest = rest.slice(0, end);
	const at = rest.lastIndexOf("@");
	if (at >= 0) rest = rest.slice(at + 1);
	if (rest.startsWith("[")) {
		const close = rest.indexOf("]");
		return close < 0 ? void 0 : rest.slice(1, close);
	}
	const colon = rest.indexOf(":");
	if (colon >= 0 && rest.indexOf(":", colon + 1) < 0) rest = rest.slice(0, colon);
	return rest === "" ? void 0 : rest;
}

// src/feeds/parse/report.ts
const FEED_KINDS = [
	"domain",
	"email",
	"ip",
	"asn",
	"asn_range"
];
const SAMPLES_MAX = 10;
const SAMPLE_CHARACTERS = 120;
var ParseReport = class {
	rows = 0;
	junk = {};
	/** The first few lines that gave no row, for the operator to look at. */
	samples = [];
	reject(reason, text) {
		this.junk[reason] = (this.junk[reason] ?? 0) + 1;
		if (this.samples.length < SAMPLES_MAX && reason !== "path_only") this.samples.push(`${reason}: ${text.slice(0, SAMPLE_CHARACTERS)}`);
	}
	get junkTotal() {
		return Object.values(this.junk).reduce((sum, count) => sum + count, 0);
	}
};
/** The feed as a whole cannot be taken: says what it is instead. */
var FeedRefused = class extends Error {
	constructor(message, options) {
		super(message, options);
		this.name = "FeedRefused";
	}
};
/** One of its documents is not there any more. */
var DocumentGone = class extends FeedRefused {
	constructor(message) {
		super(message);
		this.name = "DocumentGone";
	}
};
/** Its host could not be reached: nothing is known about the feed itself. */
var FeedUnreachable = class extends FeedRefused {
	host;
	constructor(message, host, options) {
		super(message, options);
		this.name = "FeedUnreachable";
		this.host = host;
	}
};

// src/feeds/parse/text.ts
/** Bytes to lines: BOM, UTF-16, any line ending, and lines of any length in bounded memory. */
const LINE_CHARACTERS_MAX = 65536;
const SNIFF_BYTES = 512;
/** Calls `line` for every line that is not empty, without its ending and outer blanks. */
async function eachLine(input, report, line) {
	let carry = "";
	let skipping = false;
	const take = (text) => {
		const trimmed = text.trim();
		if (trimmed === "") return;
		if (trimmed.includes("\r")) for (const part of trimmed.split(/\r+/)) take(part);
		else line(trimmed);
	};
	for await (const chunk of decode(input)) {
		let from = 0;
		for (;;) {
			const end = nextBreak(chunk, from);
			if (end < 0) break;
			if (skipping) skipping = false;
			else if (carry.length + end - from > 65536) report.reject("too_long", carry || chunk.slice(from, from + 100));
			else take(carry + chunk.slice(from, end));
			carry = "";
			from = end + 1;
		}
		if (skipping) continue;
		carry += chunk.slice(from);
		if (carry.length > 65536) {
			report.reject("too_long", carry);
			carry = "";
			skipping = true;
		}
	}
	if (!skipping) take(carry);
}
/** The end of the line that begins at `from`, or -1 when the text ends first. */
function nextBreak(text, from) {
	const feed = text.indexOf("\n", from);
	return feed >= 0 ? feed : text.indexOf("\r", from);
}
/** Text in whichever of UTF-8 and UTF-16 it is in; refuses an HTML page. */
async function* decode(input) {
	let decoder;
	let head = /* @__PURE__ */ new Uint8Array(0);
	for await (const chunk of input) {
		if (decoder) {
			yield decoder.decode(chunk, { stream: true });
			continue;
		}
		head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
		if (head.length < SNIFF_BYTES) continue;
		decoder = new TextDecoder(encodingOf(head));
		yield checked(decoder.decode(head, { stream: true }));
	}
	if (!decoder) {
		decoder = new TextDecoder(encodingOf(head));
		yield checked(decoder.decode(head, { stream: true }));
	}
	yield decoder.decode();
}
function encodingOf(head) {
	if (head[0] === 255 && head[1] === 254) return "utf-16le";
	if (head[0] === 254 && head[1] === 255) return "utf-16be";
	const sample = head.subarray(0, SNIFF_BYTES);
	let even = 0;
	let odd = 0;
	for (let i = 0; i < sample.length; i++) if (sample[i] === 0) i % 2 === 0 ? even++ : odd++;
	if (odd > sample.length / 4 && even === 0) return "utf-16le";
	if (even > sample.length / 4 && odd === 0) return "utf-16be";
	return "utf-8";
}
function checked(text) {
	const start = text.slice(0, 400).trimStart().toLowerCase();
	if (/^(<!doctype html|<html|<head|<body|<!--\s*\[if|<\?xml[^>]*>\s*<(!doctype html|html|error))/.test(start)) throw new FeedRefused("It is an HTML or error page, not a list; is the address still right?");
	return text;
}
const DOCUMENT_BYTES_MAX = 268435456;
/** The whole input as text, for formats that are one document. */
async function readText(input, bytesMax = DOCUMENT_BYTES_MAX) {
	const parts = [];
	let length = 0;
	for await (const text of decode(input)) {
		length += text.length;
		if (length > bytesMax) throw new FeedRefused(`The document is longer than ${bytesMax} characters.`);
		parts.push(text);
	}
	return parts.join("");
}
async function readJson(input) {
	const text = await readText(input);
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new FeedRefused(`It is not valid JSON (${cause.message}).`, { cause });
	}
}
async function readBytes(input, bytesMax = DOCUMENT_BYTES_MAX) {
	const parts = [];
	let length = 0;
	for await (const chunk of input) {
		length += chunk.length;
		if (length > bytesMax) throw new FeedRefused(`The file is larger than ${bytesMax} bytes.`);
		parts.push(chunk);
	}
	return Buffer.concat(parts);
}

// src/feeds/parse/csv.ts
async function parseCsv(input, values, options, indicators) {
	const delimiter = options.delimiter ?? ",";
	let places = options.header ? void 0 : locate(options);
	await eachLine(input, indicators.report, (line) => {
		if (!places) {
			places = locate(options, splitCsv(line.replace(/^#\s*/, ""), delimiter).map((name) => name.trim().toLowerCase()));
			return;
		}
		if (line.startsWith("#")) return;
		const fields = splitCsv(line, delimiter);
		const text = fields[places.value ?? -1]?.trim();
		if (text === void 0 || text === "") {
			indicators.report.reject("missing_field", line);
			return;
		}
		const prefix = fields[places.prefix ?? -1]?.trim() ?? "";
		const value = prefix === "" ? text : `${text}/${prefix}`;
		const firstSeenMs = dateOf(fields[places.first_seen ?? -1]);
		const lastSeenMs = dateOf(fields[places.last_seen ?? -1]);
		const confidence = share(fields[places.confidence ?? -1]);
		const tag = options.tag_values?.[fields[places.tag ?? -1]?.trim() ?? ""] ?? popularity(fields[places.rank ?? -1]);
		indicators.take(values, value, {
			...firstSeenMs !== void 0 && { firstSeenMs },
			...lastSeenMs !== void 0 && { lastSeenMs },
			...confidence !== void 0 && { confidence },
			...tag !== void 0 && { tag }
		});
	});
}
function popularity(rank) {
	const place = Number(rank);
	if (rank === void 0 || !Number.isInteger(place) || place < 1) return void 0;
	if (place <= 1e3) return "popular_1k";
	if (place <= 1e4) return "popular_10k";
	if (place <= 1e5) return "popular_100k";
	return place <= 1e6 ? "popular_1m" : void 0;
}
function locate(options, names = []) {
	const places = {};
	for (const [column, place] of Object.entries(options.columns)) {
		if (place === void 0) continue;
		places[column] = typeof place === "number" ? place : names.indexOf(place.toLowerCase());
	}
	return places;
}
/** Fields of one line; quotes as in RFC 4180, tolerant of blanks around them. */
function splitCsv(line, delimiter) {
	if (!line.includes("\"")) return line.split(delimiter);
	const fields = [];
	let field = "";
	let quoted = false;
	for (let i = 0; i < line.length; i++) {
		const character = line[i];
		if (quoted) {
			if (character !== "\"") field += character;
			else if (line[i + 1] === "\"") {
				field += "\"";
				i++;
			} else quoted = false;
		} else if (character === "\"" && field.trim() === "") {
			field = "";
			quoted = true;
		} else if (character === delimiter) {
			fields.push(field);
			field = "";
		} else field += character;
	}
	fields.push(field);
	return fields;
}
/** Milliseconds of an ISO or slashed date (UTC unless it says otherwise) or of a Unix time; undefined when neither. */
function dateOf(value) {
	if (typeof value === "number") return unixMs(value);
	if (typeof value !== "string" || value.trim() === "") return void 0;
	const text = value.trim();
	if (/^\d{9,13}(\.\d+)?$/.test(text)) return unixMs(Number(text));
	const match = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?/.exec(text);
	if (!match) return void 0;
	if (/[zZ]$|[+-]\d{2}:?\d{2}$/.test(text)) {
		const exact = Date.parse(text);
		if (!Number.isNaN(exact)) return exact;
	}
	const [, year, month, day, hour = "0", minute = "0", second = "0"] = match;
	const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
	if (midnight.getUTCMonth() !== Number(month) - 1 || midnight.getUTCDate() !== Number(day)) return void 0;
	return midnight.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1e3;
}
function unixMs(value) {
	if (!Number.isFinite(value) || value <= 0) return void 0;
	return value > 1e11 ? value : value * 1e3;
}
function share(value) {
	if (value === void 0 || value.trim() === "") return void 0;
	const number = Number(value);
	if (!Number.isFinite(number) || number < 0 || number > 100) return void 0;
	return number > 1 ? number / 100 : number;
}

// src/feeds/parse/json.ts
async function parseJson(input, values, options, indicators) {
	const document = await readJson(input);
	const paths = typeof options.path === "string" || options.path === void 0 ? [options.path ?? ""] : options.path;
	let found = false;
	for (const path of paths) for (const [key, element] of walk(document, path === "" ? [] : path.split("."))) {
		found = true;
		if (Array.isArray(element)) for (const item of element) takeElement("", item, values, options, indicators);
		else takeElement(key, element, values, options, indicators);
	}
	if (!found) throw new FeedRefused(`The JSON document has nothing at ${paths.map((path) => `"${path}"`).join(" or ")}.`);
}
async function parseJsonLines(input, values, options, indicators) {
	await eachLine(input, indicators.report, (line) => {
		let object;
		try {
			object = JSON.parse(line);
		} catch {
			indicators.report.reject("not_an_indicator", line);
			return;
		}
		if (isRecord(object) && object.type === "metadata") return;
		takeElement("", object, values, options, indicators);
	});
}
function takeElement(key, element, values, options, indicators) {
	if (typeof element === "string" || typeof element === "number") {
		indicators.take(values, String(element).trim());
		return;
	}
	if (!isRecord(element) || options.value === void 0) {
		indicators.report.reject("missing_field", JSON.stringify(element) ?? "");
		return;
	}
	const value = options.value === "@key" ? key : element[options.value];
	if (typeof value !== "string" && typeof value !== "number") {
		indicators.report.reject("missing_field", JSON.stringify(element));
		return;
	}
	const firstSeenMs = options.first_seen === void 0 ? void 0 : dateOf(element[options.first_seen]);
	const lastSeenMs = options.last_seen === void 0 ? void 0 : dateOf(element[options.last_seen]);
	indicators.take(values, String(value).trim(), {
		...firstSeenMs !== void 0 && { firstSeenMs },
		...lastSeenMs !== void 0 && { lastSeenMs }
	});
}
function* walk(value, path, key = "") {
	const [name, ...rest] = path;
	if (name === void 0) {
		yield [key, value];
		return;
	}
	if (typeof value !== "object" || value === null) return;
	if (name === "*") for (const [child, inner] of Object.entries(value)) yield* walk(inner, rest, child);
	else if (Object.hasOwn(value, name)) yield* walk(value[name], rest, name);
}
function isRecord(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/feeds/catalogue.ts
var CatalogueInvalid = class extends Error {
	problems;
	constructor(file, problems) {
		super(`The catalogue ${file} is not valid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
		this.name = "CatalogueInvalid";
		this.problems = problems;
	}
};
function readCatalogue(file) {
	let text;
	try {
		text = readFileSync(file, "utf8");
	} catch (cause) {
		throw new CatalogueInvalid(file, [`It cannot be read (${cause.message}).`]);
	}
	const copies = parseCopies(text, file);
	return copies ? copiesOf(copies, file) : parseCatalogue(text, file);
}
function parseCopies(text, file) {
	const document = parseDocument$1(text, file);
	if (!isRecord(document) || !("files" in document)) return void 0;
	const { catalogue, files, ...others } = document;
	if (typeof catalogue !== "string" || !isRecord(files) || Object.keys(others).length > 0) throw new CatalogueInvalid(file, ["It needs the form { \"catalogue\": \"feeds.json\", \"files\": { \"id\": \"path\" } }."]);
	return {
		catalogue,
		files
	};
}
/** The feeds that have a copy, all of them on: whoever names a copy wants it read. */
function copiesOf({ catalogue, files }, file) {
	const feeds = new Map(readCatalogue(resolve(dirname(file), catalogue)).map((feed) => [feed.id, feed]));
	const problems = [];
	const found = [];
	for (const [id, paths] of Object.entries(files)) {
		const feed = feeds.get(id);
		const address = Array.isArray(paths) ? paths : [paths];
		if (!feed) problems.push(`feed ${id}: ${catalogue} has no such feed`);
		else if (address.length === 0 || !address.every((path) => typeof path === "string" && isRelativePath(path))) problems.push(`feed ${id}: its files must be relative paths`);
		else found.push({
			...feed,
			address,
			enabled: true,
			headers: {},
			key: void 0,
			sha256_address: void 0
		});
	}
	if (problems.length > 0) throw new CatalogueInvalid(file, problems);
	return found;
}
function isRelativePath(path) {
	return addressProblem(path) === void 0 && !path.startsWith("https:") && !path.startsWith("file:");
}
function parseDocument$1(text, file) {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new CatalogueInvalid(file, [`It is not valid JSON: ${cause.message}.`]);
	}
}
function parseCatalogue(text, file = "given") {
	const document = parseDocument$1(text, file);
	const list = isRecord(document) ? document.feeds : void 0;
	if (!Array.isArray(list)) throw new CatalogueInvalid(file, ["It needs the form { \"feeds\": [ … ] }."]);
	const problems = [];
	const feeds = [];
	const ids = /* @__PURE__ */ new Set();
	for (const [i, entry] of list.entries()) {
		const where = isRecord(entry) && typeof entry.id === "string" ? `feed ${entry.id}` : `feed number ${i + 1}`;
		const checked = checkFeed(entry);
		if ("problems" in checked) problems.push(...checked.problems.map((problem) => `${where}: ${problem}`));
		else if (ids.has(checked.feed.id)) problems.push(`${where}: another feed has this id`);
		else {
			ids.add(checked.feed.id);
			feeds.push(checked.feed);
		}
	}
	if (problems.length > 0) throw new CatalogueInvalid(file, problems);
	return feeds;
}
/** Where the value of a feed's key goes. */
const KEY_PLACE = "{key}";
/** Where the day goes that a publisher names each file after. It is the day before: today's file is not whole yet. */
const DAY_PLACE = "{day}";
/** The addresses as they are on this day. */
function addressesOn(feed, nowMs) {
	return feed.address.map((address) => address.replaceAll(DAY_PLACE, isoDay(nowMs - DAY_MS)));
}
const FIELDS = /* @__PURE__ */ new Set([
	"id",
	"name",
	"address",
	"format",
	"kinds",
	"tags",
	"confidence",
	"half_life_days",
	"expiry_days",
	"licence",
	"commercial_use",
	"refresh_hours",
	"enabled",
	"origin",
	"as_of",
	"retain",
	"may_be_empty",
	"sha256_address",
	"headers",
	"key",
	"replaces",
	"note"
]);
/** Nobody calls a name newly registered for longer. */
const NEW_DAYS_MAX = 30;
/** Whether what a list said of an entry still holds after the entry left the list. */
function outlastsItsList(tag) {
	return TAGS[tag] === "threat" || tag === "newly_registered";
}
/** Checks one entry and fills in what it leaves out. */
function checkFeed(entry) {
	if (!isRecord(entry)) return { problems: ["it is not an object"] };
	const problems = [];
	const wrong = (field, expected) => problems.push(`"${field}" must be ${expected}`);
	for (const field of Object.keys(entry)) if (!FIELDS.has(field)) problems.push(`"${field}" is not a field of a feed`);
	const text = (field, lengthMax = 200) => {
		const value = entry[field];
		if (typeof value === "string" && value.trim() !== "" && value.length <= lengthMax) return value;
		wrong(field, `a text of 1 to ${lengthMax} characters`);
		return "";
	};
	const number = (field, min, max) => {
		const value = entry[field];
		if (typeof value === "number" && value >= min && value <= max) return value;
		wrong(field, `a number from ${min} to ${max}`);
		return min;
	};
	const maybe = (field, read) => entry[field] === void 0 || entry[field] === null ? void 0 : read();
	const flag = (field) => {
		if (typeof entry[field] === "boolean") return entry[field];
		wrong(field, "true or false");
		return false;
	};
	const listOf = (field, allowed, emptyAllowed) => {
		const value = entry[field];
		if (Array.isArray(value) && (emptyAllowed || value.length > 0) && value.every((item) => allowed.includes(item))) return value;
		wrong(field, `a list of ${allowed.join(", ")}`);
		return [];
	};
	const id = text("id", 64);
	if (id !== "" && !/^[a-z0-9][a-z0-9-]*$/.test(id)) wrong("id", "lower-case letters, digits and hyphens");
	const addresses = Array.isArray(entry.address) ? entry.address : [entry.address];
	const address = addresses.filter((item) => typeof item === "string" && item !== "");
	if (address.length === 0 || address.length !== addresses.length) wrong("address", "an address or a list of addresses");
	for (const item of address) {
		const problem = addressProblem(item);
		if (problem) problems.push(`the address ${item} ${problem}`);
	}
	const kinds = listOf("kinds", FEED_KINDS, false);
	const tags = listOf("tags", TAG_NAMES, kinds.includes("asn_range"));
	const format = checkFormat(entry.format, problems);
	const headers = maybe("headers", () => {
		const value = entry.headers;
		if (isRecord(value) && Object.values(value).every((item) => typeof item === "string")) return value;
		wrong("headers", "an object of texts");
		return {};
	});
	const key = maybe("key", () => text("key", 64));
	if (key !== void 0 && !/^ASSAY_FEED_KEY_[A-Z0-9_]+$/.test(key)) wrong("key", "the name of an environment variable that begins with ASSAY_FEED_KEY_");
	if ([...address, ...Object.values(headers ?? {})].some((item) => item.includes("{key}")) !== (key !== void 0)) problems.push(`"key" and ${KEY_PLACE} in an address or header need each other`);
	const replaces = typeof entry.replaces === "string" ? [entry.replaces] : entry.replaces ?? [];
	if (!isTexts(replaces)) wrong("replaces", "the id of a bundled source, or a list of ids");
	const asOf = maybe("as_of", () => text("as_of", 10));
	if (asOf !== void 0 && Number.isNaN(Date.parse(asOf))) wrong("as_of", "a date such as 2026-05-31");
	const expiry = maybe("expiry_days", () => number("expiry_days", .1, 36500));
	if (tags.includes("newly_registered") && !(expiry !== void 0 && expiry <= NEW_DAYS_MAX)) wrong("expiry_days", `at most ${NEW_DAYS_MAX} for newly registered names`);
	const feed = {
		id,
		name: text("name"),
		address,
		format: format ?? { type: "hosts" },
		kinds,
		tags,
		confidence: number("confidence", 0, 1),
		half_life_days: maybe("half_life_days", () => number("half_life_days", .1, 36500)),
		expiry_days: expiry,
		licence: text("licence"),
		commercial_use: flag("commercial_use"),
		refresh_hours: number("refresh_hours", .1, 8784),
		enabled: flag("enabled"),
		origin: maybe("origin", () => text("origin", 64)),
		as_of: asOf,
		retain: maybe("retain", () => flag("retain")) ?? (tags.length > 0 && tags.every(outlastsItsList) && expiry !== void 0),
		may_be_empty: maybe("may_be_empty", () => flag("may_be_empty")) ?? false,
		sha256_address: maybe("sha256_address", () => text("sha256_address", 2e3)),
		headers: headers ?? {},
		key,
		replaces: isTexts(replaces) ? replaces : [],
		note: maybe("note", () => text("note", 500))
	};
	return problems.length > 0 ? { problems } : { feed };
}
function isTexts(value) {
	return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "");
}
/** What is wrong with an address, if anything. */
function addressProblem(address) {
	if (address.startsWith("https://")) return URL.canParse(address) ? void 0 : "is not a valid URL";
	if (address.startsWith("file:")) return URL.canParse(address) ? void 0 : "is not a valid URL";
	if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return "must begin with https: or file:, or be a relative path";
	if (address.startsWith("/") || address.startsWith("\\")) return "must be a relative path, or begin with file:";
	if (address.split(/[/\\]/).includes("..")) return "must not leave its folder with ..";
}
const FORMAT_FIELDS = {
	list: ["values", "strip_www"],
	netset: ["values", "strip_www"],
	hosts: [],
	csv: [
		"values",
		"strip_www",
		"delimiter",
		"header",
		"columns",
		"tag_values"
	],
	counts: [
		"values",
		"min",
		"per_list"
	],
	json: [
		"values",
		"path",
		"value",
		"first_seen",
		"last_seen"
	],
	"json-lines": [
		"values",
		"value",
		"first_seen",
		"last_seen"
	],
	"misp-warninglist": [],
	"misp-feed": ["events_max"],
	stix: [],
	taxii: ["pages_max"],
	maltrail: ["prefixes"],
	mmdb: [
		"asn",
		"asn_name",
		"where"
	],
	"asn-table": [
		"delimiter",
		"name_column",
		"country_column"
	]
};
function checkFormat(format, problems) {
	if (!isRecord(format) || typeof format.type !== "string" || !Object.hasOwn(FORMAT_FIELDS, format.type)) {
		problems.push(`"format" must be an object whose "type" is one of ${Object.keys(FORMAT_FIELDS).join(", ")}`);
		return;
	}
	const fields = FORMAT_FIELDS[format.type];
	for (const field of Object.keys(format)) if (field !== "type" && !fields.includes(field)) problems.push(`"format.${field}" is not an option of ${format.type}`);
	if (fields.includes("values") && !VALUE_KINDS.includes(format.values)) problems.push(`"format.values" must be one of ${VALUE_KINDS.join(", ")}`);
	if (format.type === "json-lines" && typeof format.value !== "string") problems.push("\"format.value\" must be the name of the field that holds the indicator");
	if (format.type === "csv") {
		const columns = format.columns;
		const place = (value) => typeof value === "string" || Number.isInteger(value) && Number(value) >= 0;
		if (!isRecord(columns) || !place(columns.value)) problems.push("\"format.columns.value\" must be the name or number of the column that holds the indicator");
		else if (format.header !== true && Object.values(columns).some((value) => typeof value === "string")) problems.push("\"format.columns\" may use names only where \"format.header\" is true");
		if (isRecord(format.tag_values)) {
			for (const tag of Object.values(format.tag_values)) if (!TAG_NAMES.includes(tag)) problems.push(`"format.tag_values" names the unknown tag ${String(tag)}`);
		}
	}
	return format;
}
/** Dates before this are no dates of a list but a server that has none to give. */
const MODIFIED_MS_MIN = Date.parse("2000-01-01");
/**
* When the rows of a copy fetched at `fetchedAtMs` were current: the day the catalogue states, else the newest
* Last-Modified of its documents, else when it was fetched.
*/
function asOfMs(feed, fetchedAtMs, documents = []) {
	if (feed.as_of !== void 0) return Math.min(fetchedAtMs, Date.parse(feed.as_of));
	let newest = Number.NEGATIVE_INFINITY;
	for (const { last_modified = "" } of documents) newest = Math.max(newest, Date.parse(last_modified) || 0);
	return newest < MODIFIED_MS_MIN ? fetchedAtMs : Math.min(fetchedAtMs, newest);
}
function expiryMs(feed) {
	return feed.expiry_days === void 0 ? Number.POSITIVE_INFINITY : feed.expiry_days * DAY_MS;
}

// src/feeds/copies.ts
/**
* The last good copy of a feed: its rows in normal form, one a line, tab-separated, compressed. It is what the compiler
* reads, so a feed that fails keeps answering from here until its rows expire.
*/
function copyFile(dataDir, feedId) {
	return join(dataDir, "feeds", `${feedId}.rows.zst`);
}
const BATCH_CHARACTERS = 1 << 20;
async function writeCopy(file, rows) {
	mkdirSync(dirname(file), { recursive: true });
	const partial = `${file}.${process.pid}.partial`;
	const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } });
	const output = createWriteStream(partial, { flush: true });
	compress.pipe(output);
	const done = Promise.all([once(output, "close")]);
	const failed = new Promise((_, reject) => {
		output.once("error", reject);
		compress.once("error", reject);
	});
	failed.catch(() => {});
	try {
		let batch = "";
		for (const row of rows) {
			batch += line(row);
			if (batch.length < BATCH_CHARACTERS) continue;
			if (!compress.write(batch)) await Promise.race([once(compress, "drain"), failed]);
			batch = "";
		}
		compress.end(batch);
		await Promise.race([done, failed]);
		renameSync(partial, file);
	} catch (error) {
		compress.destroy();
		output.destroy();
		rmSync(partial, { force: true });
		throw error;
	}
}
async function readCopy(file, take) {
	if (!existsSync(file)) return;
	await eachLine(createReadStream(file).pipe(createZstdDecompress()), new ParseReport(), (text) => {
		const [kind, value, tag, first, last, confidence, asn = "0", asnName = "", country = ""] = text.split("	");
		take({
			kind,
			value: value ?? "",
			tag: tag ?? "",
			firstSeenMs: first === "" ? void 0 : Number(first),
			lastSeenMs: Number(last),
			confidence: Number(confidence),
			asn: Number(asn),
			asnName,
			country
		});
	});
}
function line(row) {
	const base = `${row.kind}\t${row.value}\t${row.tag}\t${row.firstSeenMs ?? ""}\t${row.lastSeenMs}\t${row.confidence}`;
	if (row.kind !== "asn_range") return `${base}\n`;
	const network = `${row.asn}\t${row.asnName.replace(/\s+/g, " ")}`;
	return row.country === "" ? `${base}\t${network}\n` : `${base}\t${network}\t${row.country}\n`;
}

// src/feeds/files.ts
/** Feeds that lie in a folder: paths below the folder given with `--from`, or `file:` addresses. */
const FILES_MAX = 1e4;
function isLocal(address) {
	return !address.startsWith("https://");
}
/** The files an address names, in the order of their names. `*` stands for part of a file or folder name. */
function localFiles(address, baseDir) {
	if (address.startsWith("file:")) return expand(fileURLToPath(address));
	if (baseDir === void 0) throw new FeedRefused(`The path ${address} needs a folder to be looked for in; give it with --from.`);
	const base = realpathSync(resolve(baseDir));
	const files = expand(join(base, address));
	for (const file of files) {
		const real = realpathSync(file);
		if (real !== base && !real.startsWith(base + sep)) throw new FeedRefused(`${address} leads out of ${baseDir}.`);
	}
	return files;
}
function expand(pattern) {
	if (!pattern.includes("*")) {
		if (!statSync(pattern, { throwIfNoEntry: false })?.isFile()) throw new FeedRefused(`There is no file ${pattern}.`);
		return [pattern];
	}
	let folders = [pattern.startsWith(sep) ? sep : "."];
	const parts = pattern.split(sep).filter((part) => part !== "");
	for (const part of parts.slice(0, -1)) folders = folders.flatMap((folder) => matching(folder, part, "folder"));
	const files = folders.flatMap((folder) => matching(folder, parts.at(-1), "file"));
	if (files.length === 0) throw new FeedRefused(`No file matches ${pattern}.`);
	if (files.length > FILES_MAX) throw new FeedRefused(`${pattern} matches more than ${FILES_MAX} files.`);
	return files;
}
function matching(folder, part, kind) {
	if (!part.includes("*")) return [join(folder, part)];
	const pattern = new RegExp(`^${part.replace(/[^\w*-]/g, "\\$&").replaceAll("*", ".*")}$`);
	let names;
	try {
		names = readdirSync(folder);
	} catch (cause) {
		throw new FeedRefused(`The folder ${folder} cannot be read.`, { cause });
	}
	return names.filter((name) => pattern.test(name) && !name.startsWith(".")).sort().map((name) => join(folder, name)).filter((path) => kind === "file" ? statSync(path).isFile() : statSync(path).isDirectory());
}
async function* localDocuments(addresses, baseDir) {
	for (const address of addresses) for (const file of localFiles(address, baseDir)) yield {
		name: baseDir === void 0 ? file : relative(dirname(resolve(baseDir, ".")), file),
		input: readFile(file)
	};
}
async function* readFile(file) {
	try {
		yield* createReadStream(file, { highWaterMark: 262144 });
	} catch (cause) {
		throw new FeedRefused(`${file} cannot be read (${cause.message}).`, { cause });
	}
}

// src/feeds/parse/archive.ts
/**
* What a feed arrives in, told by its first bytes and never by its name: plain, gzip, or a zip of any number of files.
* Unpacking is bounded in bytes and in ratio, so that a bomb fails its feed and nothing else.
*/
const UNPACKED_BYTES_MAX = 2 * 1024 ** 3;
const ZIP_BYTES_MAX = 268435456;
const ZIP_ENTRIES_MAX = 1e3;
/** Text lists compress tenfold, repetitive ones a hundredfold; deflate's own limit is 1032. */
const RATIO_MAX = 250;
/** Small files may have any ratio. */
const RATIO_FREE_BYTES = 16777216;
async function* unpack(input, name = "") {
	const { head, rest } = await peek(input, 4);
	if (head[0] === 31 && head[1] === 139) yield {
		name,
		input: gunzip(rest)
	};
	else if (head[0] === 80 && head[1] === 75 && (head[2] === 3 || head[2] === 5)) yield* unzip(rest);
	else yield {
		name,
		input: rest
	};
}
/** The first bytes, and everything from the start. */
async function peek(input, bytes) {
	const iterator = input[Symbol.asyncIterator]();
	const chunks = [];
	let length = 0;
	while (length < bytes) {
		const next = await iterator.next();
		if (next.done) break;
		chunks.push(next.value);
		length += next.value.length;
	}
	async function* rest() {
		try {
			yield* chunks;
			for (;;) {
				const next = await iterator.next();
				if (next.done) return;
				yield next.value;
			}
		} finally {
			await iterator.return?.();
		}
	}
	return {
		head: Buffer.concat(chunks).subarray(0, bytes),
		rest: rest()
	};
}
async function* gunzip(input) {
	yield* throughZlib(createGunzip(), input, "gzip");
}
async function* throughZlib(stream, input, what) {
	let taken = 0;
	let given = 0;
	async function feed() {
		try {
			for await (const chunk of input) {
				taken += chunk.length;
				if (!stream.write(chunk)) await new Promise((resolve) => {
					stream.once("drain", resolve);
					stream.once("close", resolve);
				});
				if (stream.destroyed) return;
			}
			stream.end();
		} catch (error) {
			stream.destroy(error);
		}
	}
	const feeding = feed();
	try {
		for await (const chunk of stream) {
			given += chunk.length;
			if (given > UNPACKED_BYTES_MAX || given > RATIO_FREE_BYTES && given > taken * RATIO_MAX) throw new FeedRefused(`The ${what} data unpacks to more than ${given} bytes from ${taken}; it looks like a bomb.`);
			yield chunk;
		}
	} catch (cause) {
		if (cause instanceof FeedRefused) throw cause;
		const code = cause.code ?? "";
		if (!code.startsWith("Z_")) throw cause;
		throw new FeedRefused(`The ${what} data is ${code === "Z_BUF_ERROR" ? "cut off" : "damaged"} (${cause.message}).`, { cause });
	} finally {
		stream.destroy();
		await feeding;
	}
}
/** Stored and deflated entries, found through the central directory; no encryption, no zip64. */
async function* unzip(input) {
	const bytes = await readBytes(input, ZIP_BYTES_MAX);
	const end = findEnd(bytes);
	const count = bytes.readUInt16LE(end + 10);
	let at = bytes.readUInt32LE(end + 16);
	if (count === 65535 || at === 4294967295) throw new FeedRefused("The zip file is of the zip64 kind, which is not read.");
	if (count > ZIP_ENTRIES_MAX) throw new FeedRefused(`The zip file has ${count} entries; ${ZIP_ENTRIES_MAX} are allowed.`);
	let unpackedBytes = 0;
	for (let i = 0; i < count; i++) {
		if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 33639248) throw new FeedRefused("The zip file is damaged.");
		const flags = bytes.readUInt16LE(at + 8);
		const method = bytes.readUInt16LE(at + 10);
		const checksum = bytes.readUInt32LE(at + 16);
		const packedSize = bytes.readUInt32LE(at + 20);
		const size = bytes.readUInt32LE(at + 24);
		const nameLength = bytes.readUInt16LE(at + 28);
		const local = bytes.readUInt32LE(at + 42);
		const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
		at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
		if (name.endsWith("/")) continue;
		if (flags & 1) throw new FeedRefused(`The zip entry ${name} is encrypted.`);
		if (method !== 0 && method !== 8) throw new FeedRefused(`The zip entry ${name} uses compression method ${method}.`);
		unpackedBytes += size;
		if (unpackedBytes > UNPACKED_BYTES_MAX) throw new FeedRefused("The zip file unpacks to more than is allowed.");
		if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== 67324752) throw new FeedRefused("The zip file is damaged.");
		const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
		if (from + packedSize > bytes.length) throw new FeedRefused(`The zip entry ${name} is cut off.`);
		const packed = bytes.subarray(from, from + packedSize);
		yield {
			name,
			input: verified(name, checksum, method === 0 ? once$1(packed) : inflate(packed))
		};
	}
}
async function* inflate(packed) {
	yield* throughZlib(createInflateRaw(), once$1(packed), "zip");
}
async function* once$1(bytes) {
	yield bytes;
}
async function* verified(name, checksum, input) {
	let actual = 0;
	for await (const chunk of input) {
		actual = crc32(chunk, actual);
		yield chunk;
	}
	if (actual !== checksum) throw new FeedRefused(`The zip entry ${name} does not match its checksum.`);
}
function findEnd(bytes) {
	for (let at = bytes.length - 22; at >= 0 && at > bytes.length - 22 - 65536; at--) if (bytes.readUInt32LE(at) === 101010256) return at;
	throw new FeedRefused("The zip file is cut off: it has no directory.");
}

// src/feeds/parse/country.ts
/** Registries write these where a network belongs to no one country. */
const NO_COUNTRY = /* @__PURE__ */ new Set([
	"AP",
	"EU",
	"XX",
	"ZZ"
]);
/** A country code in capitals; undefined for anything else (`None`, `Unknown`, `EU`). */
function countryCode(text) {
	const code = text.trim().toUpperCase();
	return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.has(code) ? code : void 0;
}

// src/feeds/parse/asn-table.ts
/** `first,last,asn,name`, addresses as text or as decimal numbers: what replaces the bundled AS ranges. */
async function parseAsnTable(input, options, indicators) {
	await eachLine(input, indicators.report, (line) => {
		if (line.startsWith("#")) return;
		const fields = splitCsv(line, options.delimiter ?? ",");
		const [firstText = "", lastText = "", asnText = ""] = fields;
		const name = fields[options.name_column ?? 3] ?? "";
		const first = addressOf(firstText.trim());
		const last = addressOf(lastText.trim());
		const asn = Number(asnText.trim().replace(/^AS/i, ""));
		if (asn === 0 && first && last) return;
		if (!first || !last || first.version !== last.version || !Number.isInteger(asn) || asn < 1 || asn > 4294967295) {
			indicators.report.reject("not_an_indicator", line);
			return;
		}
		indicators.asnRange({
			first,
			last
		}, asn, name.trim(), countryCode(fields[options.country_column ?? -1] ?? ""));
	});
}
function addressOf(text) {
	if (!/^\d+$/.test(text)) return parseIp(text);
	if (text.length > 39) return void 0;
	const value = BigInt(text);
	if (value <= 4294967295n) return ipv4(Number(value));
	if (value >> 128n !== 0n) return void 0;
	const word = (shift) => Number(value >> shift & 4294967295n);
	return ipv6(word(96n), word(64n), word(32n), word(0n));
}

// src/feeds/parse/list-day.ts
const HEAD_BYTES = 4096;
async function datesOfList(names, input) {
	for (const name of names) {
		const firstSeenMs = dayInName(name);
		if (firstSeenMs !== void 0) return {
			dates: { firstSeenMs },
			input
		};
	}
	const { head, rest } = await peek(input, HEAD_BYTES);
	const lastSeenMs = dayInHead(Buffer.from(head).toString("latin1"));
	return {
		dates: lastSeenMs === void 0 ? {} : { lastSeenMs },
		input: rest
	};
}
/** A day such as `2026-11-14`, `2026_11_14` or `20261114`, in the file's own name before that of its folder. */
function dayInName(name) {
	for (const part of name.split(/[/\\?&]/).reverse()) {
		const decoded = Buffer.from(part, "base64").toString("latin1");
		const match = DAY.exec(part) ?? DAY.exec(/^[\d-]{10}\.zip$/.test(decoded) ? decoded : "");
		const day = match ? dateOf(`${match[1]}-${match[2]}-${match[3]}`) : void 0;
		if (day !== void 0) return day;
	}
}
const DAY = /(?<!\d)(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?!\d)/;
/** The date of the first comment that says when the list was made. */
function dayInHead(head) {
	for (const line of head.split(/[\r\n]+/)) {
		if (!/^\s*[#;!]/.test(line) || !/updated?|modified|compil|generated|created|date/i.test(line)) continue;
		const iso = /(20\d\d-\d\d-\d\d)/.exec(line)?.[1];
		const [, day, month = "", year] = /(\d{1,2}) ([A-Z][a-z]{2})[a-z]* (20\d\d)/.exec(line) ?? [];
		const found = dateOf(iso ?? `${year}-${MONTHS.indexOf(month) + 1}-${day}`);
		if (found !== void 0) return found;
	}
}
const MONTHS = [
	"Jan",
	"Feb",
	"Mar",
	"Apr",
	"May",
	"Jun",
	"Jul",
	"Aug",
	"Sep",
	"Oct",
	"Nov",
	"Dec"
];

// src/feeds/parse/lists.ts
/** Formats of one indicator a line: plain lists, netsets, hosts files, lists with a count. */
/** One value a line, `#`, `;` or `//` begin a comment; what follows a blank is remarks. Covers netset and ipset too. */
async function parseList(input, values, indicators) {
	await eachLine(input, indicators.report, (line) => {
		if (isComment(line)) return;
		indicators.take(values, firstWord(line));
	});
}
/** `0.0.0.0 name [name …]`: the address is where the name is sent to, not an indicator. */
async function parseHosts(input, indicators) {
	await eachLine(input, indicators.report, (line) => {
		if (isComment(line)) return;
		const words = line.split("#", 1)[0].trim().split(/\s+/);
		const names = /^[0-9a-f.:]+$/i.test(words[0]) && words.length > 1 ? words.slice(1) : words;
		for (const name of names) if (!LOCAL_NAMES.has(name.toLowerCase())) indicators.domain(name);
	});
}
const LOCAL_NAMES = /* @__PURE__ */ new Set([
	"localhost",
	"localhost.localdomain",
	"local",
	"broadcasthost",
	"ip6-localhost",
	"ip6-loopback",
	"ip6-localnet",
	"ip6-mcastprefix",
	"ip6-allnodes",
	"ip6-allrouters",
	"ip6-allhosts",
	"0.0.0.0"
]);
/** `address<TAB>number of lists`, as ipsum has it. */
async function parseCounts(input, values, options, indicators) {
	const perList = options.per_list ?? .35;
	await eachLine(input, indicators.report, (line) => {
		if (isComment(line)) return;
		const [value, countText] = line.split(/[\t ,;]+/);
		const count = Number(countText);
		if (value === void 0 || !Number.isInteger(count) || count < 1) {
			indicators.report.reject("missing_field", line);
			return;
		}
		if (count < (options.min ?? 1)) return;
		indicators.take(values, value, { confidence: 1 - (1 - perList) ** count });
	});
}
function isComment(line) {
	const first = line.charCodeAt(0);
	return first === 35 || first === 59 || line.startsWith("//");
}
function firstWord(line) {
	const end = line.search(/[\s,#]/);
	return end < 0 || line.charCodeAt(end) === 35 ? line.split(/\s/, 1)[0] : line.slice(0, end);
}

// src/feeds/parse/maltrail.ts
/**
* Maltrail trails: `#` begins a comment (references there name benign hosts), one trail a line: a name, an address,
* address:port, a URL or a URL path. `1.2.3.4/8` is a path on that address, never a prefix; only the files that say so
* (`mass_scanner_cidr`, catalogue option `prefixes`) hold prefixes.
*/
async function parseMaltrail(input, options, indicators) {
	await eachLine(input, indicators.report, (line) => {
		if (line.startsWith("#")) return;
		const trail = line.split(/\s+#|\s/, 1)[0];
		if (trail.startsWith("/")) {
			indicators.report.reject("path_only", trail);
			return;
		}
		if (options.prefixes) {
			indicators.ip(trail);
			return;
		}
		if (parseIp(trail)) indicators.ip(trail);
		else if (/[/:?]/.test(trail)) indicators.url(trail);
		else indicators.domain(trail);
	});
}

// src/feeds/parse/misp.ts
/** MISP warning lists: `{ name, type, list: [] }`, names with or without a leading dot, prefixes, addresses. */
async function parseMispWarningList(input, indicators) {
	const document = await readJson(input);
	if (!isRecord(document) || !Array.isArray(document.list)) throw new FeedRefused("It is not a MISP warning list: it has no \"list\".");
	for (const item of document.list) if (typeof item !== "string") indicators.report.reject("missing_field", JSON.stringify(item));
	else if (document.type === "cidr") indicators.ip(item.trim());
	else indicators.any(item.trim());
}
const ATTRIBUTES = {
	domain: "domain",
	hostname: "domain",
	"hostname|port": "domain",
	"domain|ip": "domain",
	url: "url",
	uri: "url",
	link: "url",
	"ip-src": "ip",
	"ip-dst": "ip",
	"ip-src|port": "ip",
	"ip-dst|port": "ip",
	email: "email",
	"email-src": "email",
	"email-dst": "email",
	"email-reply-to": "email",
	AS: "asn"
};
/** One event of a MISP feed. Only attributes marked for detection (`to_ids`) are indicators; the rest is context. */
async function parseMispEvent(input, indicators) {
	const document = await readJson(input);
	const event = isRecord(document) ? document.Event : void 0;
	if (!isRecord(event)) throw new FeedRefused("It is not a MISP event: it has no \"Event\".");
	const eventDate = dateOf(event.date);
	const objects = Array.isArray(event.Object) ? event.Object : [];
	const lists = [event.Attribute, ...objects.map((object) => isRecord(object) ? object.Attribute : void 0)];
	for (const attribute of lists.flatMap((list) => Array.isArray(list) ? list : [])) {
		if (!isRecord(attribute) || attribute.to_ids !== true || attribute.deleted === true) continue;
		const kind = ATTRIBUTES[String(attribute.type)];
		if (!kind) continue;
		if (typeof attribute.value !== "string") {
			indicators.report.reject("missing_field", JSON.stringify(attribute));
			continue;
		}
		const firstSeenMs = dateOf(attribute.first_seen) ?? eventDate;
		const lastSeenMs = dateOf(attribute.last_seen) ?? dateOf(Number(attribute.timestamp)) ?? eventDate;
		indicators.take(kind, attribute.value.split("|", 1)[0].trim(), {
			...firstSeenMs !== void 0 && { firstSeenMs },
			...lastSeenMs !== void 0 && { lastSeenMs }
		});
	}
}
/** Ids of the events in a feed's manifest, newest first. */
function mispManifestEvents(manifest, eventsMax) {
	if (!isRecord(manifest)) throw new FeedRefused("It is not the manifest of a MISP feed.");
	const events = Object.entries(manifest).filter(([id]) => /^[0-9a-f-]{36}$/i.test(id));
	if (events.length === 0) throw new FeedRefused("The manifest of the MISP feed names no events.");
	const time = (entry) => isRecord(entry) ? Number(entry.timestamp) || 0 : 0;
	return events.sort((a, b) => time(b[1]) - time(a[1])).slice(0, eventsMax).map(([id]) => id);
}

// src/feeds/parse/mmdb.ts
const NODES_MAX = 5e7;
async function parseMmdb(input, options, indicators) {
	const bytes = await readBytes(input);
	let networks;
	try {
		networks = walkNetworks(bytes);
		for (const [range, prefix, record] of networks) take(range, prefix, record, options, indicators);
	} catch (cause) {
		if (cause instanceof FeedRefused) throw cause;
		throw new FeedRefused(`It is not a readable MMDB file (${cause.message}).`, { cause });
	}
}
function take(range, prefix, record, options, indicators) {
	if (options.asn !== void 0) {
		const asn = isRecord(record) ? Number(record[options.asn]) : NaN;
		if (!Number.isInteger(asn) || asn < 1) return;
		const name = isRecord(record) ? record[options.asn_name ?? "autonomous_system_organization"] : "";
		indicators.asnRange(range, asn, typeof name === "string" ? name : "");
		return;
	}
	if (options.where !== void 0 && !(isRecord(record) && record[options.where] === true)) return;
	indicators.ip(`${textOf(range.first)}/${prefix}`);
}
function textOf(ip) {
	if (ip.version === 4) return `${ip.w3 >>> 24}.${ip.w3 >>> 16 & 255}.${ip.w3 >>> 8 & 255}.${ip.w3 & 255}`;
	return [
		ip.w0,
		ip.w1,
		ip.w2,
		ip.w3
	].map((w) => `${(w >>> 16).toString(16)}:${(w & 65535).toString(16)}`).join(":");
}
/** Depth-first over the search tree. The library looks one address up; this visits each network once. */
function* walkNetworks(bytes) {
	const reader = new Reader(bytes);
	const { nodeCount, recordSize, nodeByteSize, ipVersion, searchTreeSize } = reader.metadata;
	if (nodeCount > NODES_MAX || searchTreeSize > bytes.length) throw new FeedRefused("The search tree of the MMDB file is larger than the file.");
	if (recordSize !== 24 && recordSize !== 28 && recordSize !== 32) throw new FeedRefused(`The MMDB file has records of ${recordSize} bits.`);
	const child = (node, side) => {
		const at = node * nodeByteSize;
		if (recordSize === 24) return bytes.readUIntBE(at + side * 3, 3);
		if (recordSize === 32) return bytes.readUInt32BE(at + side * 4);
		const middle = bytes[at + 3];
		return side === 0 ? (middle >>> 4) * 16777216 + bytes.readUIntBE(at, 3) : (middle & 15) * 16777216 + bytes.readUIntBE(at + 4, 3);
	};
	const depthMax = ipVersion === 4 ? 32 : 128;
	const records = /* @__PURE__ */ new Map();
	const stack = [{
		node: 0,
		depth: 0,
		words: [
			0,
			0,
			0,
			0
		]
	}];
	let visited = 0;
	while (stack.length > 0) {
		const { node, depth, words } = stack.pop();
		if (node === nodeCount) continue;
		if (node < nodeCount) {
			if (depth >= depthMax || ++visited > NODES_MAX) throw new FeedRefused("The search tree of the MMDB file is damaged.");
			const right = [...words];
			right[depth >>> 5] |= 1 << 31 - (depth & 31);
			stack.push({
				node: child(node, 1),
				depth: depth + 1,
				words: right
			});
			stack.push({
				node: child(node, 0),
				depth: depth + 1,
				words
			});
			continue;
		}
		const [w0, w1, w2, w3] = words;
		let found;
		if (ipVersion === 4) found = {
			first: ipv4(w0),
			prefix: depth
		};
		else if (depth >= 96 && w0 === 0 && w1 === 0 && w2 === 0) found = {
			first: ipv4(w3),
			prefix: depth - 96
		};
		else if (w0 !== 0 && w0 >>> 16 !== 8194 && w0 !== 536936448) found = {
			first: ipv6(w0, w1, w2, w3),
			prefix: depth
		};
		if (!found) continue;
		if (!records.has(node)) {
			if (records.size > 1e5) records.clear();
			records.set(node, reader.get(textOf(found.first)));
		}
		yield [
			prefixRange(found.first, found.prefix),
			found.prefix,
			records.get(node)
		];
	}
}

// src/feeds/parse/stix.ts
/**
* STIX 2.1: indicators whose pattern is a comparison of one observable's value, or several joined by OR. An AND, or a
* pattern over several observations, says that one value alone is no sign, so such a pattern gives nothing.
*/
async function parseStixBundle(input, indicators) {
	const document = await readJson(input);
	const objects = isRecord(document) ? document.objects : void 0;
	if (!Array.isArray(objects)) throw new FeedRefused("It is not a STIX bundle: it has no \"objects\".");
	takeStixObjects(objects, indicators);
}
const OBSERVABLES = {
	"domain-name:value": "domain",
	"ipv4-addr:value": "ip",
	"ipv6-addr:value": "ip",
	"email-addr:value": "email",
	"email-message:from_ref.value": "email",
	"email-message:sender_ref.value": "email",
	"url:value": "url",
	"autonomous-system:number": "asn"
};
function takeStixObjects(objects, indicators) {
	for (const object of objects) {
		if (!isRecord(object) || object.type !== "indicator" || object.revoked === true) continue;
		const pattern = object.pattern;
		const patternType = object.pattern_type ?? "stix";
		if (typeof pattern !== "string" || patternType !== "stix") {
			indicators.report.reject("missing_field", JSON.stringify(object).slice(0, 200));
			continue;
		}
		const values = readPattern(pattern);
		if (!values) {
			indicators.report.reject("not_an_indicator", pattern);
			continue;
		}
		const firstSeenMs = dateOf(object.valid_from) ?? dateOf(object.created);
		const lastSeenMs = dateOf(object.modified) ?? firstSeenMs;
		const confidence = typeof object.confidence === "number" ? object.confidence / 100 : void 0;
		for (const { kind, value } of values) indicators.take(kind, value, {
			...firstSeenMs !== void 0 && { firstSeenMs },
			...lastSeenMs !== void 0 && { lastSeenMs },
			...confidence !== void 0 && confidence > 0 && confidence <= 1 && { confidence }
		});
	}
}
const COMPARISON = /^\s*([a-z0-9-]+:[a-z0-9_.]+)\s*(=|IN)\s*(\(\s*(?:'(?:[^'\\]|\\.)*'|\d+)(?:\s*,\s*(?:'(?:[^'\\]|\\.)*'|\d+))*\s*\)|'(?:[^'\\]|\\.)*'|\d+)\s*/i;
function readPattern(pattern) {
	if (pattern.length > 65536) return void 0;
	const values = [];
	let rest = pattern.trim();
	while (rest !== "") {
		if (!rest.startsWith("[")) return void 0;
		rest = rest.slice(1);
		for (;;) {
			const match = COMPARISON.exec(rest);
			if (!match) return void 0;
			const kind = OBSERVABLES[match[1].toLowerCase()];
			if (!kind) return void 0;
			for (const literal of match[3].match(/'(?:[^'\\]|\\.)*'|\d+/g) ?? []) {
				const value = literal.startsWith("'") ? literal.slice(1, -1).replace(/\\(.)/g, "$1") : literal;
				values.push({
					kind,
					value
				});
			}
			rest = rest.slice(match[0].length);
			if (rest.startsWith("]")) break;
			const or = /^OR\s+/i.exec(rest);
			if (!or) return void 0;
			rest = rest.slice(or[0].length);
		}
		rest = rest.slice(1).trim();
		if (rest === "") break;
		const or = /^OR\s+/i.exec(rest);
		if (!or) return void 0;
		rest = rest.slice(or[0].length);
	}
	return values.length > 0 ? values : void 0;
}

// src/feeds/parse/feed.ts
/** Rows of all documents of a feed. Lines that make no sense are counted; a document that is no list at all is an error. */
async function parseFeed(feed, documents, sink, report = new ParseReport()) {
	const declared = new Set(feed.kinds);
	const areNew = feed.tags.includes("newly_registered");
	let dates = {};
	const indicators = new Indicators((row) => {
		if (declared.has(row.kind)) sink(areNew ? {
			...dates,
			...row
		} : row);
		else {
			report.rows--;
			report.reject("wrong_kind", `${row.kind} ${row.value}`);
		}
	}, report, {
		stripWww: "strip_www" in feed.format && feed.format.strip_www === true,
		condemns: feed.tags.some((tag) => TAGS[tag] === "threat")
	});
	for await (const document of documents) for await (const packed of unpack(document.input, document.name)) try {
		const { address = document.name } = document;
		const listed = areNew ? await datesOfList([packed.name, address], packed.input) : void 0;
		dates = listed?.dates ?? {};
		await parseDocument(feed.format, listed?.input ?? packed.input, indicators);
	} catch (error) {
		if (error instanceof FeedRefused && document.name !== "") throw new FeedRefused(`${document.name}: ${error.message}`, { cause: error });
		throw error;
	}
	return report;
}
function parseDocument(format, input, indicators) {
	switch (format.type) {
		case "list":
		case "netset": return parseList(input, format.values, indicators);
		case "hosts": return parseHosts(input, indicators);
		case "csv": return parseCsv(input, format.values, format, indicators);
		case "counts": return parseCounts(input, format.values, format, indicators);
		case "json": return parseJson(input, format.values, format, indicators);
		case "json-lines": return parseJsonLines(input, format.values, format, indicators);
		case "misp-warninglist": return parseMispWarningList(input, indicators);
		case "misp-feed": return parseMispEvent(input, indicators);
		case "stix":
		case "taxii": return parseStixBundle(input, indicators);
		case "maltrail": return parseMaltrail(input, format, indicators);
		case "mmdb": return parseMmdb(input, format, indicators);
		case "asn-table": return parseAsnTable(input, format, indicators);
	}
}

// src/feeds/rows.ts
/**
* One dated row per tag. `currentMs` is when the copy was current. Dates in the future are a publisher's clock and
* count as now.
*/
function dateRow(feed, row, nowMs, currentMs = asOfMs(feed, nowMs)) {
	const lastSeenMs = Math.min(row.lastSeenMs ?? Math.max(currentMs, row.firstSeenMs ?? 0), nowMs);
	const dated = {
		kind: row.kind,
		value: row.value,
		firstSeenMs: row.firstSeenMs === void 0 ? void 0 : Math.min(row.firstSeenMs, lastSeenMs),
		lastSeenMs,
		confidence: feed.confidence * (row.confidence ?? 1),
		asn: row.asn ?? 0,
		asnName: row.asnName ?? "",
		country: row.country ?? ""
	};
	if (row.kind === "asn_range") return [{
		...dated,
		tag: ""
	}];
	return (row.tag ? [row.tag] : feed.tags).map((tag) => {
		if (tag !== "newly_registered") return {
			...dated,
			tag
		};
		return settled({
			...dated,
			tag,
			firstSeenMs: dated.firstSeenMs ?? lastSeenMs
		});
	});
}
/** A name is new from the day it was registered, and is not new again because a list still has it. */
function settled(row) {
	return row.tag === "newly_registered" ? {
		...row,
		lastSeenMs: row.firstSeenMs ?? row.lastSeenMs
	} : row;
}
function sourceOf(feed, asOf) {
	return {
		id: feed.id,
		name: feed.name,
		licence: feed.licence,
		asOfMs: asOf,
		halfLifeDays: feed.half_life_days,
		expiryDays: feed.expiry_days,
		origin: feed.origin,
		announces: feed.kinds.includes("asn_range")
	};
}
function compileRow(compiler, source, row) {
	if (row.kind === "asn_range") {
		const dash = row.value.indexOf("-");
		const first = parseIp(row.value.slice(0, dash));
		const last = parseIp(row.value.slice(dash + 1));
		if (first && last) compiler.addAsnRange({
			first,
			last
		}, row.asn, row.asnName);
		if (row.country !== "") compiler.addAsnCountry(row.asn, row.country);
		return;
	}
	if (row.tag === "") return;
	compiler.add({
		kind: row.kind,
		value: row.value,
		source,
		tag: row.tag,
		firstSeenMs: row.firstSeenMs,
		lastSeenMs: row.lastSeenMs,
		confidence: row.confidence
	});
}

// src/feeds/worker.ts
/** Rows of one feed are held in memory while they are merged with the earlier copy. */
const ROWS_MAX = 5e6;
/** Below this a doubling or halving is nothing to hold a feed back for. */
const ROWS_COMPARED_MIN = 20;
function createFeedWorker() {
	let worker;
	let pending;
	let turn = Promise.resolve();
	function start() {
		const started = new Worker(new URL(new URL("../feeds/worker.js", import.meta.url).href), { workerData: { assayFeeds: true } });
		const fail = (error) => {
			if (worker === started) worker = void 0;
			pending?.reject(error);
			pending = void 0;
		};
		started.on("message", (reply) => {
			pending?.resolve(reply);
			pending = void 0;
		});
		started.on("error", fail);
		started.on("exit", (code) => fail(/* @__PURE__ */ new Error(`The feed worker ended early (exit code ${code}).`)));
		return started;
	}
	async function perform(task) {
		worker ??= start();
		const reply = await new Promise((resolve, reject) => {
			pending = {
				resolve,
				reject
			};
			worker?.postMessage(task);
		});
		if (reply.result) return reply.result;
		throw reply.refused === void 0 ? new Error(reply.error) : new FeedRefused(reply.refused);
	}
	return {
		run(task) {
			const mine = turn.then(() => perform(task));
			turn = mine.catch(() => {});
			return mine;
		},
		async close() {
			await turn;
			await worker?.terminate();
		}
	};
}
async function ingest(task) {
	const { feed, nowMs } = task;
	const rows = /* @__PURE__ */ new Map();
	const documents = task.spooled ? spooledDocuments(task.spooled) : localDocuments(feed.address, task.baseDir);
	const report = await parseFeed(feed, documents, (row) => {
		for (const dated of dateRow(feed, row, nowMs, task.currentMs)) {
			if (nowMs - dated.lastSeenMs > expiryMs(feed)) continue;
			const key = keyOf(dated);
			const other = rows.get(key);
			rows.set(key, other ? joined(dated, other) : dated);
		}
		if (rows.size > ROWS_MAX) throw new FeedRefused(`The feed has more than ${ROWS_MAX} rows.`);
	});
	const count = rows.size;
	const outcome = {
		rows: count,
		junk: report.junk,
		samples: report.samples
	};
	if (!task.incremental) {
		const isRightlyEmpty = feed.may_be_empty && report.rows === 0 && report.junkTotal === 0;
		if (report.rows === 0 && !isRightlyEmpty) throw new FeedRefused(`Nothing in it could be read as an indicator (${report.junkTotal} lines tried).`);
		const isExpected = isRightlyEmpty || feed.may_be_empty && task.previousRows === 0;
		if (!task.accept && !isExpected && task.previousRows !== void 0 && isOutlier(count, task.previousRows)) return {
			...outcome,
			held: true,
			retained: 0
		};
	}
	let retained = 0;
	await readCopy(task.copy, (earlier) => {
		const key = keyOf(earlier);
		const current = rows.get(key);
		if (current) {
			const { firstSeenMs } = current;
			if (firstSeenMs !== void 0) rows.set(key, settled({
				...current,
				firstSeenMs: earliest(firstSeenMs, earlier.firstSeenMs)
			}));
			return;
		}
		if (!(feed.retain || task.incremental) || nowMs - earlier.lastSeenMs > expiryMs(feed)) return;
		if (rows.size >= ROWS_MAX) return;
		retained++;
		rows.set(key, earlier);
	});
	await writeCopy(task.copy, rows.values());
	return {
		...outcome,
		held: false,
		retained
	};
}
/** A feed that lost more than half of its rows or grew more than tenfold is broken more often than it is right. */
function isOutlier(rows, previousRows) {
	if (Math.max(rows, previousRows) < ROWS_COMPARED_MIN) return false;
	return rows * 2 < previousRows || rows > previousRows * 10;
}
function keyOf(row) {
	return `${row.kind} ${row.value} ${row.tag}`;
}
function joined(a, b) {
	const fresher = a.lastSeenMs > b.lastSeenMs || a.lastSeenMs === b.lastSeenMs && a.confidence >= b.confidence ? a : b;
	return settled({
		...fresher,
		firstSeenMs: earliest(a.firstSeenMs, b.firstSeenMs)
	});
}
function earliest(a, b) {
	return a === void 0 || b === void 0 ? a ?? b : Math.min(a, b);
}
async function* spooledDocuments(files) {
	for (const { file, ...document } of files) yield {
		...document,
		input: createReadStream(file)
	};
}
async function compileFeeds(task) {
	const compiler = createCompiler({ nowMs: task.nowMs });
	addBundled(compiler, /* @__PURE__ */ new Set([...task.leaveOut, ...task.feeds.flatMap(({ feed }) => feed.replaces)]));
	for (const { feed, copy, asOfMs } of task.feeds) {
		compiler.source(sourceOf(feed, asOfMs));
		await readCopy(copy, (row) => compileRow(compiler, feed.id, row));
	}
	return compiler.writeTo(task.file);
}
async function answer(task) {
	try {
		return { result: task.task === "ingest" ? await ingest(task) : await compileFeeds(task) };
	} catch (error) {
		const { message } = error;
		return error instanceof FeedRefused ? { refused: message } : { error: message };
	}
}
if (!isMainThread && workerData?.assayFeeds) parentPort?.on("message", (task) => {
	answer(task).then((reply) => parentPort?.postMessage(reply));
});

export { beginWholeFile as S, FeedRefused as _, mispManifestEvents as a, BUNDLED_SOURCES as b, CatalogueInvalid as c, asOfMs as d, checkFeed as f, DocumentGone as g, readJson as h, isOutlier as i, KEY_PLACE as l, isRecord as m, createFeedWorker as n, isLocal as o, readCatalogue as p, ingest as r, copyFile as s, compileFeeds as t, addressesOn as u, FeedUnreachable as v, compileBundled as x, BUILT_SNAPSHOT as y };