import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import bidiFactory from "bidi-js";
import { create } from "fontkit";

// src/billing/invoices/woff.ts
/**
* The font inside a WOFF file (W3C WOFF 1.0): its tables inflated, behind the header of a TrueType file. The PDF
* library reads WOFF too, but it inflates a table again for every glyph.
*/
function unpackWoff(woff) {
	if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("this is not a WOFF font");
	const count = woff.readUInt16BE(12);
	const header = Buffer.alloc(12 + 16 * count);
	woff.copy(header, 0, 4, 8);
	header.writeUInt16BE(count, 4);
	const parts = [header];
	let end = header.length;
	for (let i = 0; i < count; i++) {
		const from = 44 + 20 * i;
		const to = 12 + 16 * i;
		const offset = woff.readUInt32BE(from + 4);
		const packedLength = woff.readUInt32BE(from + 8);
		const length = woff.readUInt32BE(from + 12);
		const stored = woff.subarray(offset, offset + packedLength);
		const inflated = packedLength < length ? inflateSync(stored) : stored;
		const table = withoutNames(woff.toString("latin1", from, from + 4), inflated);
		woff.copy(header, to, from, from + 4);
		header.writeUInt32BE(woff.readUInt32BE(from + 16), to + 4);
		header.writeUInt32BE(end, to + 8);
		header.writeUInt32BE(table.length, to + 12);
		const padding = Buffer.alloc(-table.length & 3);
		parts.push(table, padding);
		end += table.length + padding.length;
	}
	return Buffer.concat(parts);
}
/** The table `post` in its third version, which leaves out the names of glyphs: nobody needs them, and reading takes long. */
function withoutNames(tag, table) {
	if (tag !== "post") return table;
	const short = Buffer.from(table.subarray(0, 32));
	short.writeUInt32BE(196608, 0);
	return short;
}

// src/billing/invoices/pdf-text.ts
/**
* Text on a PDF page, in any script and never silently incomplete:
*
*  1. Text that the fonts of every PDF reader cover is set in Helvetica, which takes no room in the file.
*  2. Other text is set in DejaVu Sans (Latin, Greek, Cyrillic, Hebrew, Arabic and more), and the characters that it
*     lacks (Chinese, Japanese, Korean and the rest of the basic plane) in GNU Unifont.
*  3. A character that no font has is written as its number, such as [U+1F600].
*  4. Right-to-left text is put into the order of reading (Unicode UAX 9).
*/
const bidi = bidiFactory();
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
function fontFile(name, file) {
	let opened;
	return {
		name,
		open() {
			if (opened) return opened;
			const stored = readFileSync(fileURLToPath(import.meta.resolve(file)));
			const bytes = file.endsWith(".woff") ? unpackWoff(stored) : stored;
			const font = create(bytes);
			if (!("layout" in font)) throw new Error(`${file} holds several fonts`);
			opened = {
				bytes,
				font
			};
			return opened;
		}
	};
}
const UNIFONT = fontFile("Unifont", "@fontsource/unifont/files/unifont-latin-400-normal.woff");
const REGULAR = [fontFile("DejaVu", "dejavu-fonts-ttf/ttf/DejaVuSans.ttf"), UNIFONT];
const BOLD = [fontFile("DejaVu-Bold", "dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"), ...REGULAR];
/** What Windows-1252 holds beyond Latin-1: with it, the characters that standard fonts of PDF have. */
const STANDARD = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;
function createTypesetter(page) {
	const registered = /* @__PURE__ */ new Set();
	function register(file) {
		if (!registered.has(file)) page.registerFont(file.name, file.open().bytes);
		registered.add(file);
		return file.name;
	}
	function piece(font, text, size) {
		return {
			font,
			text,
			widthPt: page.font(font).fontSize(size).widthOfString(text)
		};
	}
	/** One line of text, however wide. */
	function lineOf(text, { size, bold = false }, base) {
		const pieces = STANDARD.test(text) ? [piece(bold ? "Helvetica-Bold" : "Helvetica", text, size)] : visualOrder(text, bold ? BOLD : REGULAR, base).map((run) => piece(register(run.font), run.text, size));
		return {
			pieces,
			size,
			widthPt: pieces.reduce((sum, { widthPt }) => sum + widthPt, 0)
		};
	}
	/** Words as they fit, each line as wide as possible. */
	function wrap(text, style, widthPt) {
		const base = baseDirection(text);
		const fits = (one) => lineOf(one, style, base).widthPt <= widthPt;
		const lines = [];
		let current = "";
		for (const word of text.split(/\s+/).filter((one) => one !== "")) {
			const longer = current === "" ? word : `${current} ${word}`;
			if (fits(longer)) {
				current = longer;
				continue;
			}
			if (current !== "") lines.push(current);
			current = "";
			for (const { segment } of graphemes.segment(word)) {
				if (current !== "" && !fits(current + segment)) {
					lines.push(current);
					current = "";
				}
				current += segment;
			}
		}
		return [...lines, current].map((one) => lineOf(one, style, base));
	}
	return {
		lines: (text, style, widthPt) => drawable(text).split("\n").flatMap((line) => wrap(line, style, widthPt)),
		draw({ pieces, size }, xPt, yPt) {
			let leftPt = xPt;
			for (const { font, text, widthPt } of pieces) {
				page.font(font).fontSize(size).text(text, leftPt, yPt, {
					lineBreak: false,
					baseline: "alphabetic"
				});
				leftPt += widthPt;
			}
		}
	};
}
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** Rule 3. Control characters are blanks; of the characters that are never visible only those that join letters stay. */
function drawable(text) {
	let result = "";
	for (const char of text.normalize("NFC").replaceAll(/\r\n?/g, "\n")) if (char === "\n" || STANDARD.test(char)) result += char;
	else if (/\p{Cc}/u.test(char)) result += " ";
	else if (INVISIBLE.test(char)) result += char === "‌" || char === "‍" ? char : "";
	else if (REGULAR.some((file) => has(file, char))) result += char;
	else result += `[U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`;
	return result;
}
function has(file, text) {
	const { font } = file.open();
	return [...text].every((char) => font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0));
}
function baseDirection(text) {
	const [paragraph] = bidi.getEmbeddingLevels(text, "auto").paragraphs;
	return (paragraph?.level ?? 0) % 2 === 1 ? "rtl" : "ltr";
}
/** The characters of a text, each with the first font that has it; an accent stays with its letter where it can. */
function* inFonts(text, files) {
	let last;
	for (const { segment, index } of graphemes.segment(text)) {
		const whole = segment === " " && last ? last : files.find((file) => has(file, segment));
		for (const part of whole ? [segment] : segment) {
			const font = whole ?? files.find((file) => has(file, part)) ?? UNIFONT;
			const shown = font === UNIFONT ? part.replaceAll(new RegExp(INVISIBLE, "gu"), "") : part;
			if (shown !== "") yield {
				segment: shown,
				index,
				font
			};
			last = font;
		}
	}
}
/** The runs of a line from left to right: each in one font and one direction. */
function visualOrder(text, files, base) {
	const { levels } = bidi.getEmbeddingLevels(text, base);
	const runs = [];
	for (const { segment, index, font } of inFonts(text, files)) {
		const level = levels[index] ?? 0;
		const last = runs.at(-1);
		const apart = level % 2 === 1 && (segment === " " || last?.text.endsWith(" "));
		if (last && last.font === font && last.level === level && !apart) runs[runs.length - 1] = {
			...last,
			text: last.text + segment
		};
		else runs.push({
			font,
			text: segment,
			level
		});
	}
	return reorder(runs).map(readyToShape);
}
/** UAX 9, rule L2: from the highest level down, runs of that level or higher are turned around. */
function reorder(runs) {
	const result = [...runs];
	for (let level = Math.max(...runs.map((run) => run.level)); level >= 1; level--) for (let start = 0; start < result.length; start++) {
		let end = start;
		while (end < result.length && (result[end]?.level ?? 0) >= level) end++;
		if (end > start) result.splice(start, end - start, ...result.slice(start, end).reverse());
		start = Math.max(start, end);
	}
	return result;
}
/** Brackets of right-to-left text are mirrored; what the font does not turn around itself is turned around here. */
function readyToShape(run) {
	if (run.level % 2 === 0) return run;
	const chars = [...graphemes.segment(run.text)].map(({ segment }) => bidi.getMirroredCharacter(segment) ?? segment);
	const text = chars.join("");
	const [first] = run.font.open().font.layout(text).glyphs;
	const turnedAround = !first?.codePoints.includes(text.codePointAt(0) ?? 0);
	return {
		...run,
		text: turnedAround ? text : chars.reverse().join("")
	};
}

export { createTypesetter };