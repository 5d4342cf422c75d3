// src/db/sql.ts
/** Runs `fn` as one transaction at the clock's present time. */
function changeIn(sql, clock, fn) {
	return sql.transaction(async (tx) => {
		const kept = /* @__PURE__ */ new Map();
		const writes = [];
		const value = await fn({
			...tx,
			nowMs: clock.now(),
			lastly(write, item) {
				const items = kept.get(write) ?? [];
				if (items.length === 0) {
					kept.set(write, items);
					writes.push(() => write(tx, items));
				}
				items.push(item);
			}
		});
		for (const write of writes) await write();
		return value;
	});
}
/** The database cannot be reached, is read-only, full, or timed out: nothing was committed. */
var StoreUnavailable = class extends Error {
	constructor(message, options) {
		super(message, options);
		this.name = "StoreUnavailable";
	}
};
/** A commit was sent and the connection broke before the answer: the transaction may or may not have happened. */
var CommitUnknown = class extends StoreUnavailable {
	/** What the transaction returns if it did happen. */
	output;
	constructor(message, options) {
		super(message, options);
		this.name = "CommitUnknown";
		this.output = options?.output;
	}
};
/** A row with this unique key is already there. */
var UniqueViolation = class extends Error {
	constructor(message, options) {
		super(message, options);
		this.name = "UniqueViolation";
	}
};
/** Rule 10: throws for a value that one of the engines could not hold. */
function checkParams(params) {
	for (let i = 0; i < params.length; i++) {
		const value = params[i];
		if (typeof value === "string") {
			if (value.includes("\0")) throw new RangeError(`parameter $${i + 1} holds U+0000, which the store cannot keep`);
		} else if (typeof value === "number") {
			if (!(Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value))) throw new RangeError(`parameter $${i + 1} is a number the store cannot keep exactly: ${value}`);
		} else if (value !== null && !(value instanceof Uint8Array)) throw new TypeError(`parameter $${i + 1} is of type ${typeof value}; use text, a number, null or bytes`);
	}
}
const VALUES_LISTS_MAX = 500;
const valuesLists = /* @__PURE__ */ new Map();
/** `($1,$2),($3,$4)` for a multi-row insert of `rows` rows with `columns` columns, numbered from `first`. */
function valuesList(rows, columns, first = 1) {
	const name = `${rows} ${columns} ${first}`;
	const known = valuesLists.get(name);
	if (known !== void 0) return known;
	let next = first;
	const tuples = [];
	for (let row = 0; row < rows; row++) {
		const marks = [];
		for (let column = 0; column < columns; column++) marks.push(`$${next++}`);
		tuples.push(`(${marks.join(",")})`);
	}
	const list = tuples.join(",");
	if (valuesLists.size < VALUES_LISTS_MAX) valuesLists.set(name, list);
	return list;
}

export { checkParams as a, changeIn as i, StoreUnavailable as n, valuesList as o, UniqueViolation as r, CommitUnknown as t };