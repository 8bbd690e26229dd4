import * as fc from "fast-check";
import { expect, test } from "vitest";
import { heardSource, toSpeakable } from "../../src/dialogue/speakable.ts";

const spoken = (text: string, language = "en-US") => toSpeakable(text, language).spoken;

test.each([
  ["The total is $1,299.50.", "The total is one thousand two hundred ninety-nine dollars and fifty cents."],
  ["It costs $1 or $0.99, at most €5.", "It costs one dollar or ninety-nine cents, at most five euros."],
  ["We raised $1.5 million.", "We raised one point five million dollars."],
  ["That is $5-10 or $5-$10.", "That is five to ten dollars or five to ten dollars."],
  ["You save 15% today.", "You save fifteen percent today."],
  ["It takes 2-3 days.", "It takes two to three days."],
  ["Half is 1/2, most is 3/4, and 1 1/2 cups.", "Half is one half, most is three quarters, and one and a half cups."],
  ["Pi is 3.14.", "Pi is three point one four."],
  ["It is -5 outside, or 30°C.", "It is minus five outside, or thirty degrees Celsius."],
  ["You are 21st of 1,000.", "You are twenty-first of one thousand."],
  ["It weighs 5 kg, or 1 lb.", "It weighs five kilograms, or one pound."],
  ["Press #5 now.", "Press number five now."],
  [
    "Either $4.50-$6.00, ¥300 or ₹2.",
    "Either four dollars and fifty cents to six dollars, three hundred yen or two rupees.",
  ],
  ["It is $7.5, not $.05.", "It is seven dollars and fifty cents, not five cents."],
  ["In 3 wks: 2 1/2 lbs at 50 Mbps.", "In three weeks: two and a half pounds at fifty megabits per second."],
  ["About 2 million km.", "About two million kilometers."],
])("amounts are written out: %s", (text, expected) => {
  expect(spoken(text)).toBe(expected);
});

test.each([
  ["On 2026-11-20 at 3:30 pm.", "On November twentieth, twenty twenty-six at three thirty p.m."],
  ["See you 11/20.", "See you November twentieth."],
  ["Nov. 3, 2005 works.", "November third, two thousand five works."],
  ["At 9:05 a.m. or 10:00.", "At nine oh five a.m. or ten o'clock."],
  ["Open 9am-5pm.", "Open nine a.m. to five p.m."],
  ["In 1999 and since 2010.", "In nineteen ninety-nine and since twenty ten."],
  ["on 14 March 2019 or the 2nd of april", "on the fourteenth of March twenty nineteen or the second of April"],
  ["SEPT. 9 works, june 3 2018 too.", "September ninth works, June third twenty eighteen too."],
  ["You may 2 times, march 3 miles.", "You may two times, march three miles."],
  ["Come at 2.45 pm.", "Come at two forty-five p.m."],
  [
    "By 2026/04/09, that is 13-12-2026.",
    "By April ninth, twenty twenty-six, that is December thirteenth, twenty twenty-six.",
  ],
  ["The house is 1635.", "The house is sixteen thirty-five."],
])("dates and times are written out: %s", (text, expected) => {
  expect(spoken(text)).toBe(expected);
});

test("a date in figures is read by the language's order", () => {
  expect(spoken("on 4/3/2026", "en-US")).toBe("on April third, twenty twenty-six");
  expect(spoken("on 4/3/2026", "en-GB")).toBe("on March fourth, twenty twenty-six");
});

test.each([
  ["Call 555-234-6789.", "Call five five five, two three four, six seven eight nine."],
  ["Or (202) 555-0123, please.", "Or two zero two, five five five, zero one two three, please."],
  ["+12025550123", "plus one, two zero two, five five five, zero one two three"],
  ["Write to john.smith42@example.com.", "Write to john dot smith four two at example dot com."],
  ["Visit https://www.example.com/book!", "Visit example dot com slash book!"],
  ["Your code is 0042, flight AB12.", "Your code is zero zero four two, flight AB one two."],
])("numbers and addresses are dictated: %s", (text, expected) => {
  expect(spoken(text)).toBe(expected);
});

test.each([
  ["Dr. Smith, 12 Main St., e.g. Monday", "Doctor Smith, twelve Main Street, for example Monday"],
  ["In St. Louis & elsewhere", "In Saint Louis and elsewhere"],
  ["tea/coffee and/or cake", "tea or coffee and or cake"],
  ["Well — I think so", "Well, I think so"],
])("short forms are written out: %s", (text, expected) => {
  expect(spoken(text)).toBe(expected);
});

test.each([
  ["**Bold**, *it*, __un__ and `code` 🎉 done!", "Bold, it, un and code done!"],
  ["# Title\n\n- First\n- Second", "Title. First. Second"],
  ["[our site](https://example.com/a) is up", "our site is up"],
  ["```js\nrun it\n```", "run it"],
  ["a <b>word</b> &amp; more", "a word and more"],
  ["Aℹ", "A"],
  ["👍🏽 👩‍👩‍👧 🇺🇸", ""],
  ['he said "yes" (twice) …', 'he said "yes" (twice)…'],
])("markup and emoji are taken off: %s", (text, expected) => {
  expect(spoken(text)).toBe(expected);
});

test.each([
  [
    "de",
    "Das sind 1.299,50 €, 1 € oder 15 %.",
    "Das sind eintausendzweihundertneunundneunzig Euro und fünfzig Cent, ein Euro oder fünfzehn Prozent.",
  ],
  [
    "de-AT",
    "Am 3.7.1998 um 15.30 Uhr, zum 20. Mai.",
    "Am dritten Juli neunzehnhundertachtundneunzig um fünfzehn Uhr dreißig, zum zwanzigsten Mai.",
  ],
  [
    "de",
    "Bei -5 °C und 3,14 km: 030 12345",
    "Bei minus fünf Grad und drei Komma eins vier Kilometer: null drei null, eins zwei drei vier fünf",
  ],
  [
    "fr",
    "Le 01/03/2026 à 15h30, 1er étage, 19,99 €.",
    "Le premier mars deux mille vingt-six à quinze heures trente, premier étage, dix-neuf euros et quatre-vingt-dix-neuf centimes.",
  ],
  ["fr-CA", "À 21 h, 3,14 % et 1 km.", "À vingt et une heures, trois virgule quatorze pour cent et un kilomètre."],
  [
    "es",
    "El 20 de noviembre de 2026 a las 15:30 son 21 €.",
    "El veinte de noviembre de dos mil veintiséis a las quince y media son veintiún euros.",
  ],
  [
    "es-MX",
    "Son $1,299.50 por el 1.º piso.",
    "Son mil doscientos noventa y nueve pesos con cincuenta centavos por el primer piso.",
  ],
  [
    "es-MX",
    "Son $1,299 o $1,299,000.",
    "Son mil doscientos noventa y nueve pesos o un millón doscientos noventa y nueve mil pesos.",
  ],
  ["de", "Diesel kostet 1,799 €.", "Diesel kostet eins Komma sieben neun neun Euro."],
  [
    "it",
    "Il 1/5/2026 alle 9:05: 2.300 €, 7,5%.",
    "Il primo maggio duemilaventisei alle nove e cinque: duemilatrecento euro, sette virgola cinque per cento.",
  ],
  [
    "pt-BR",
    "Em 01/05/2026 às 14h30 custa R$ 21,90.",
    "Em primeiro de maio de dois mil e vinte e seis às catorze horas e trinta custa vinte e um reais e noventa centavos.",
  ],
  [
    "nl",
    "Op 20-11-2026 om 15.30 uur: € 12,50 voor 10-12 mensen.",
    "Op twintig november tweeduizend zesentwintig om vijftien uur dertig: twaalf euro en vijftig cent voor tien tot twaalf mensen.",
  ],
  [
    "es",
    "Llame al 91 123 45 67 o a ana@ejemplo.es.",
    "Llame al nueve uno, uno dos tres, cuatro cinco, seis siete o a ana arroba ejemplo punto es.",
  ],
])("%s writes its figures out: %s", (language, text, expected) => {
  expect(spoken(text, language)).toBe(expected);
});

test("languages whose figures are not known keep them, and lose only markup", () => {
  expect(spoken("**Cześć** 👋, to 5 zł", "pl-PL")).toBe("Cześć, to 5 zł");
});

test("what was heard leads back to what was written, and an expansion counts once it is complete", () => {
  const text = toSpeakable("It costs **$1,299.50**, is that *fine*?", "en-US");
  const words = text.spoken.split(" ");
  const after = (word: string) => heardSource(text, words.indexOf(word) + 1);
  expect(after("costs")).toBe("It costs");
  expect(after("hundred")).toBe("It costs **");
  expect(after("cents,")).toBe("It costs **$1,299.50**,");
  expect(after("that")).toBe("It costs **$1,299.50**, is that");
  expect(after("fine?")).toBe("It costs **$1,299.50**, is that *fine*?");
  expect(heardSource(text, 0)).toBe("");
});

const odd = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "**",
        "_",
        "`",
        "#",
        "- ",
        "\n",
        "$",
        "5",
        "1,299",
        "3:30",
        "/",
        "-",
        " ",
        "pm",
        "Dr.",
        "@",
        "a",
        "B",
        ".",
        "%",
        "🎉",
        "é",
        "[",
        "](",
        ")",
        "<",
        ">",
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join("")),
);

test.each(["en-US", "de-DE", "fr-FR", "es-MX", "it-IT", "pt-BR", "nl-NL"])(
  "%s: any text gives words without digits, markup or emoji, one end for each, never falling, the last at the source's end",
  (language) => {
    fc.assert(
      fc.property(odd, (source) => {
        const text = toSpeakable(source, language);
        const words = text.spoken.split(/\s+/u).filter((word) => word !== "");
        expect(words.join(" ")).toBe(text.spoken);
        expect(text.spoken).not.toMatch(/[*`#_~|[\]<>{}\\\d]|\p{Extended_Pictographic}/u);
        for (const word of words) expect(word).toMatch(/[\p{L}\p{N}]/u);
        expect(text.ends.length).toBe(words.length);
        expect([...text.ends]).toEqual([...text.ends].toSorted((a, b) => a - b));
        if (words.length > 0) expect(text.ends.at(-1)).toBe(source.length);
      }),
      { numRuns: 200 },
    );
  },
);

test("plain words come through as they are", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{2,9}$/u), { minLength: 1 }), (words) => {
      expect(spoken(words.join(" "), "en-US")).toBe(words.join(" "));
    }),
  );
});
