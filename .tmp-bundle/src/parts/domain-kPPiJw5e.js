import { domainToASCII } from "node:url";
import { getPublicSuffix, parse } from "tldts";

// src/lib/ip.ts
function ipv4(value) {
	return {
		version: 4,
		w0: 0,
		w1: 0,
		w2: 0,
		w3: value >>> 0
	};
}
function ipv6(w0, w1, w2, w3) {
	return {
		version: 6,
		w0: w0 >>> 0,
		w1: w1 >>> 0,
		w2: w2 >>> 0,
		w3: w3 >>> 0
	};
}
/** The 32-bit value of a dotted quad, or -1. Octets are decimal, 0–255, without leading zeros. */
function parseIpv4Value(text) {
	let value = 0;
	let octet = -1;
	let dots = 0;
	for (let i = 0; i <= text.length; i++) {
		const unit = i < text.length ? text.charCodeAt(i) : 46;
		if (unit === 46) {
			if (octet < 0) return -1;
			value = value * 256 + octet;
			octet = -1;
			dots++;
		} else {
			if (unit < 48 || unit > 57 || octet === 0) return -1;
			octet = octet < 0 ? unit - 48 : octet * 10 + unit - 48;
			if (octet > 255) return -1;
		}
	}
	return dots === 4 ? value : -1;
}
/** Parses a dotted quad or any RFC 4291 text form. IPv4-mapped IPv6 becomes IPv4. No zone, prefix or port. */
function parseIp(text) {
	if (!text.includes(":")) {
		const value = parseIpv4Value(text);
		return value < 0 ? void 0 : ipv4(value);
	}
	const words = parseIpv6Words(text);
	if (!words) return void 0;
	const [w0, w1, w2, w3] = words;
	if (w0 === 0 && w1 === 0 && w2 === 65535) return ipv4(w3);
	return ipv6(w0, w1, w2, w3);
}
function parseIpv6Words(text) {
	if (text.length > 45) return void 0;
	const halves = text.split("::");
	if (halves.length > 2) return void 0;
	const head = parseGroups(halves[0] ?? "", halves.length === 1);
	const tail = halves.length === 2 ? parseGroups(halves[1] ?? "", true) : [];
	if (!head || !tail) return void 0;
	const missing = 8 - head.length - tail.length;
	if (halves.length === 2 ? missing < 1 : missing !== 0) return void 0;
	const groups = [
		...head,
		...new Array(missing).fill(0),
		...tail
	];
	const word = (i) => ((groups[i] ?? 0) << 16 | (groups[i + 1] ?? 0)) >>> 0;
	return [
		word(0),
		word(2),
		word(4),
		word(6)
	];
}
/** 16-bit groups of one side of `::`; a dotted quad may stand last where `quadAllowed`. */
function parseGroups(text, quadAllowed) {
	if (text === "") return [];
	const parts = text.split(":");
	const groups = [];
	for (const [i, part] of parts.entries()) if (part.includes(".")) {
		if (!quadAllowed || i !== parts.length - 1) return void 0;
		const value = parseIpv4Value(part);
		if (value < 0) return void 0;
		groups.push(Math.floor(value / 65536), value % 65536);
	} else {
		if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return void 0;
		groups.push(Number.parseInt(part, 16));
	}
	return groups;
}
/** RFC 5952 text: lower case, no leading zeros, the longest run of two or more zero groups as `::`. */
function formatIp(ip) {
	if (ip.version === 4) {
		const v = ip.w3;
		return `${v >>> 24}.${v >>> 16 & 255}.${v >>> 8 & 255}.${v & 255}`;
	}
	const groups = [
		ip.w0,
		ip.w1,
		ip.w2,
		ip.w3
	].flatMap((word) => [word >>> 16, word & 65535]);
	let best = -1;
	let bestLength = 1;
	for (let i = 0; i < 8; i++) {
		let length = 0;
		while (i + length < 8 && groups[i + length] === 0) length++;
		if (length > bestLength) {
			best = i;
			bestLength = length;
		}
	}
	const hex = (from, to) => groups.slice(from, to).map((group) => group.toString(16)).join(":");
	return best < 0 ? hex(0, 8) : `${hex(0, best)}::${hex(best + bestLength, 8)}`;
}
function compareIp(a, b) {
	return a.version - b.version || a.w0 - b.w0 || a.w1 - b.w1 || a.w2 - b.w2 || a.w3 - b.w3;
}
/** Parses `address/prefix`, or a lone address as a range of one. Host bits below the prefix are cleared. */
function parseCidr(text) {
	const slash = text.indexOf("/");
	const address = parseIp(slash < 0 ? text : text.slice(0, slash));
	if (!address) return void 0;
	const bits = address.version === 4 ? 32 : 128;
	if (slash < 0) return {
		first: address,
		last: address,
		prefix: bits
	};
	const suffix = text.slice(slash + 1);
	if (!/^(0|[1-9][0-9]{0,2})$/.test(suffix)) return void 0;
	const prefix = Number(suffix);
	if (prefix > bits) return void 0;
	return {
		...prefixRange(address, prefix),
		prefix
	};
}
/** The range of all addresses that share the first `prefix` bits with `ip`. */
function prefixRange(ip, prefix) {
	if (ip.version === 4) {
		const mask = wordMask(prefix);
		return {
			first: ipv4(ip.w3 & mask),
			last: ipv4(ip.w3 | ~mask)
		};
	}
	const words = [
		ip.w0,
		ip.w1,
		ip.w2,
		ip.w3
	];
	const masks = [
		0,
		1,
		2,
		3
	].map((i) => wordMask(prefix - i * 32));
	const low = words.map((word, i) => word & (masks[i] ?? 0));
	const high = words.map((word, i) => word | ~(masks[i] ?? 0));
	return {
		first: ipv6(...low),
		last: ipv6(...high)
	};
}
function wordMask(bits) {
	if (bits <= 0) return 0;
	if (bits >= 32) return -1;
	return -1 << 32 - bits;
}
const SPECIAL_PURPOSE = [
	[
		"0.0.0.0/8",
		"this network",
		"address of \"this network\" (RFC 791)"
	],
	[
		"10.0.0.0/8",
		"private use",
		"private address (RFC 1918)"
	],
	[
		"100.64.0.0/10",
		"shared address space of carriers",
		"address shared inside a carrier (RFC 6598)"
	],
	[
		"127.0.0.0/8",
		"loopback",
		"loopback address (RFC 1122)"
	],
	[
		"169.254.0.0/16",
		"link local",
		"link-local address (RFC 3927)"
	],
	[
		"172.16.0.0/12",
		"private use",
		"private address (RFC 1918)"
	],
	[
		"192.0.0.0/24",
		"protocol assignments",
		"address kept for protocols (RFC 6890)"
	],
	[
		"192.0.2.0/24",
		"documentation",
		"documentation address (RFC 5737)"
	],
	[
		"192.88.99.0/24",
		"retired 6to4 relay",
		"retired 6to4 relay address (RFC 7526)"
	],
	[
		"192.168.0.0/16",
		"private use",
		"private address (RFC 1918)"
	],
	[
		"198.18.0.0/15",
		"benchmarking",
		"benchmarking address (RFC 2544)"
	],
	[
		"198.51.100.0/24",
		"documentation",
		"documentation address (RFC 5737)"
	],
	[
		"203.0.113.0/24",
		"documentation",
		"documentation address (RFC 5737)"
	],
	[
		"224.0.0.0/4",
		"multicast",
		"multicast address (RFC 5771)"
	],
	[
		"240.0.0.0/4",
		"reserved",
		"reserved address (RFC 1112)"
	],
	[
		"::/128",
		"unspecified",
		"unspecified address (RFC 4291)"
	],
	[
		"::1/128",
		"loopback",
		"loopback address (RFC 4291)"
	],
	[
		"64:ff9b:1::/48",
		"local translation",
		"local translation address (RFC 8215)"
	],
	[
		"100::/64",
		"discard only",
		"discard-only address (RFC 6666)"
	],
	[
		"100:0:0:1::/64",
		"dummy prefix",
		"dummy address (RFC 9780)"
	],
	[
		"2001::/23",
		"protocol assignments",
		"address kept for protocols (RFC 2928)"
	],
	[
		"2001:db8::/32",
		"documentation",
		"documentation address (RFC 3849)"
	],
	[
		"2002::/16",
		"6to4",
		"6to4 address (RFC 3056)"
	],
	[
		"3fff::/20",
		"documentation",
		"documentation address (RFC 9637)"
	],
	[
		"5f00::/16",
		"segment routing",
		"segment-routing address (RFC 9602)"
	],
	[
		"fc00::/7",
		"unique local",
		"private address (RFC 4193)"
	],
	[
		"fe80::/10",
		"link local",
		"link-local address (RFC 4291)"
	],
	[
		"fec0::/10",
		"retired site local",
		"retired site-local address (RFC 3879)"
	],
	[
		"ff00::/8",
		"multicast",
		"multicast address (RFC 4291)"
	]
];
const SPECIAL_RANGES = SPECIAL_PURPOSE.map(([cidr, name, what]) => {
	const range = parseCidr(cidr);
	if (!range) throw new Error(`bad special-purpose prefix ${cidr}`);
	return {
		...range,
		name,
		what
	};
});
const SPECIAL_V4 = SPECIAL_RANGES.filter((range) => range.first.version === 4);
const SPECIAL_V6 = SPECIAL_RANGES.filter((range) => range.first.version === 6);
const NOT_ALLOCATED = {
	name: "not allocated",
	what: "address that is not allocated"
};
const SPECIAL_OCTETS = new Set(SPECIAL_V4.flatMap(({ first, last }) => {
	const from = first.w3 >>> 24;
	return Array.from({ length: (last.w3 >>> 24) - from + 1 }, (_, i) => from + i);
}));
const HAS_SPECIAL = Uint8Array.from({ length: 256 }, (_, octet) => SPECIAL_OCTETS.has(octet) ? 1 : 0);
function specialRange(ip) {
	if (ip.version === 4 && HAS_SPECIAL[ip.w3 >>> 24] === 0) return void 0;
	const ranges = ip.version === 4 ? SPECIAL_V4 : SPECIAL_V6;
	for (let i = 0; i < ranges.length; i++) {
		const range = ranges[i];
		if (compareIp(ip, range.first) >= 0 && compareIp(ip, range.last) <= 0) return range;
	}
	if (ip.version === 6 && ip.w0 >>> 29 !== 1) {
		if (ip.w0 === 6619035 && ip.w1 === 0 && ip.w2 === 0) return specialRange(ipv4(ip.w3));
		return NOT_ALLOCATED;
	}
}
/** What an address that is not on the public internet is for, in a word or two; undefined for a public one. */
function specialPurpose(ip) {
	return specialRange(ip)?.name;
}
/** The same with the RFC that says so: `private address (RFC 1918)`. */
function specialAddress(ip) {
	return specialRange(ip)?.what;
}
/** The IPv4 address inside, for every technique that puts one there. IPv4-mapped addresses are IPv4 to parseIp. */
function carriedIpv4(ip) {
	if (ip.version === 4) return void 0;
	const { w0, w1, w2, w3 } = ip;
	if (w0 >>> 16 === 8194) return carried((w0 & 65535) << 16 | w1 >>> 16, "6to4");
	if (w0 === 536936448) return carried(~w3, "Teredo");
	if (w0 === 6619035) {
		if (w1 === 0 && w2 === 0) return carried(w3, "NAT64");
		if (w1 >>> 16 === 1) return carried(w3 !== 0 ? w3 : (w1 & 65535) << 16 | w2 >>> 8 & 65535, "NAT64");
	}
	if (w0 === 0 && w1 === 0) {
		if (w2 === 0 && w3 > 1) return carried(w3, "IPv4-compatible");
		if (w2 === 4294901760) return carried(w3, "IPv4-translated");
	}
	if (w2 === 24318 || w2 === 33578750) return {
		ip: ipv4(w3),
		how: "ISATAP",
		binding: false
	};
}
function carried(value, how) {
	return {
		ip: ipv4(value),
		how,
		binding: true
	};
}

// src/lib/domain.ts
const ICANN = {
	extractHostname: false,
	validateHostname: false,
	detectIp: false
};
const PRIVATE = {
	...ICANN,
	allowPrivateDomains: true
};
const PLAIN_LABELS = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/;
const ASCII = /^[\x00-\x7f]*$/;
const LABEL_UNITS_MAX = 252;
const LABEL_ENDS = /[.\u3002\uff0e\uff61]/;
/** Lower-case A-label form without a trailing dot, at least two labels, at most 253 characters. */
function normaliseHost(input) {
	let text = input.trim();
	if (text === "") return { problem: "empty" };
	if (text.length > 1024) return { problem: "too_long" };
	if (text.includes("/") || text.includes("?") || text.includes("#") || text.includes("@")) return { problem: "url" };
	if (text.includes(":")) return { problem: /^[^:]*:\d*$/.test(text) ? "port" : "ip_address" };
	text = text.toLowerCase();
	if (!ASCII.test(text) || text.includes("xn--")) {
		if (/[\s%<>^|\\[\]]/u.test(text)) return { problem: "bad_label" };
		if (text.split(LABEL_ENDS).some((label) => label.length > LABEL_UNITS_MAX)) return { problem: "bad_label" };
		const ascii = domainToASCII(text);
		if (ascii === "") return { problem: "bad_idn" };
		text = ascii;
	}
	if (text.endsWith(".")) text = text.slice(0, -1);
	if (text.length > 253) return { problem: "too_long" };
	if (!PLAIN_LABELS.test(text)) return { problem: "bad_label" };
	const lastDot = text.lastIndexOf(".");
	if (lastDot < 0) return { problem: "single_label" };
	if (/^\d+$/.test(text.slice(lastDot + 1))) return { problem: "ip_address" };
	return { name: text };
}
/**
* As normaliseHost, for names in lists: refuses a bare public suffix such as `co.uk`, because a row about it would be
* about everybody under it. Only the registries' own suffixes count: `github.io` is a suffix for cookies but also a
* company's domain.
*/
function normaliseDomain(input) {
	const result = normaliseHost(input);
	if ("name" in result && getPublicSuffix(result.name, ICANN) === result.name) return { problem: "public_suffix" };
	return result;
}
function hostParts(name) {
	const icann = parse(name, ICANN);
	const full = parse(name, PRIVATE);
	const platform = full.isPrivate ? full.publicSuffix ?? void 0 : void 0;
	return {
		suffix: icann.publicSuffix ?? "",
		isRegistered: icann.isIcann ?? false,
		registrable: icann.domain ?? void 0,
		tenant: full.domain ?? void 0,
		platform
	};
}
/**
* Names under which nobody can register: kept for tests, manuals and private networks (RFC 2606, RFC 6761, RFC 8375,
* RFC 9476, and .internal by ICANN), and endings that private networks use although nobody keeps them for that.
*/
const RESERVED_NAMES = {
	...Object.fromEntries("test example invalid localhost local internal alt onion home.arpa corp home lan localdomain intranet private domain workgroup".split(" ").map((ending) => [ending, notPublicEnding(ending)])),
	...Object.fromEntries([
		"com",
		"net",
		"org"
	].map((ending) => [`example.${ending}`, "kept for examples in manuals"]))
};
function notPublicEnding(ending) {
	return `.${ending} is not a public ending`;
}
const RESERVED = new Map(Object.entries(RESERVED_NAMES));
/** Why nobody can register such a name, in words; undefined for a name that somebody can. */
function reservedName({ suffix, isRegistered, registrable }) {
	if (!isRegistered) return notPublicEnding(suffix);
	return RESERVED.get(suffix) ?? (registrable === void 0 ? void 0 : RESERVED.get(registrable));
}

export { carriedIpv4 as a, ipv4 as c, parseIp as d, prefixRange as f, reservedName as i, ipv6 as l, specialPurpose as m, normaliseDomain as n, compareIp as o, specialAddress as p, normaliseHost as r, formatIp as s, hostParts as t, parseCidr as u };