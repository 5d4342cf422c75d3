// src/db/routine.ts
/** Cuts what was worked out together into lists of these lengths. */
function inParts(all, lengths) {
	let from = 0;
	return lengths.map((length) => {
		from += length;
		return all.slice(from - length, from);
	});
}
/** Carries the rounds out over a transaction, up to the last one. */
async function driveRounds(tx, routine, input) {
	const rounds = routine.start(input, tx);
	let step = rounds.next();
	while (!step.done) step = rounds.next(await Promise.all(step.value.map(({ text, params }) => tx.query(text, params))));
	return step.value;
}
/** All statements, sent together. */
async function runStatements(tx, statements) {
	await Promise.all(statements.map(({ text, params }) => tx.query(text, params)));
}

export { inParts as n, runStatements as r, driveRounds as t };