// Entities and sentiment on a small labelled set: sentences typical of meetings, calls and dictation,
// written and labelled for this benchmark. Precision and recall by kind.
import { entitySpans } from "../src/service/intelligence/entities.ts";
import { flagOf } from "../src/service/intelligence/moderation.ts";
import { sentimentOf } from "../src/service/intelligence/sentiment.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

/** A sentence, and its entities as TYPE=text. */
const ENTITIES: [string, string[]][] = [
  [
    "Hi, this is Maria Lopez from Siemens, am I speaking with Thomas?",
    ["NAME=Maria Lopez", "ORGANIZATION=Siemens", "NAME_GIVEN=Thomas"],
  ],
  [
    "We fly to Berlin on Tuesday and come back on March 14th.",
    ["LOCATION_CITY=Berlin", "DATE=on Tuesday", "DATE=March 14th"],
  ],
  [
    "The invoice is over two thousand dollars, which is 15 percent more.",
    ["MONEY=two thousand dollars", "STATISTICS=15 percent"],
  ],
  [
    "You can reach me at 212-555-0187 or at john.smith@example.com.",
    ["PHONE_NUMBER=212-555-0187", "EMAIL_ADDRESS=john.smith@example.com"],
  ],
  ["Dr. Patel will see you at 9:30 tomorrow.", ["NAME_MEDICAL_PROFESSIONAL=Dr. Patel", "TIME=9:30", "DATE=tomorrow"]],
  ["I think we should ship it next week and not earlier.", ["DATE=next week"]],
  [
    "Microsoft and Google both have offices in Canada.",
    ["ORGANIZATION=Microsoft", "ORGANIZATION=Google", "LOCATION_COUNTRY=Canada"],
  ],
  [
    "My daughter Emily is seven years old and speaks French.",
    ["NAME_GIVEN=Emily", "AGE=seven years old", "LANGUAGE=French"],
  ],
  [
    "It took about twenty minutes to drive from Boston to Cambridge.",
    ["DURATION=twenty minutes", "LOCATION_CITY=Boston", "LOCATION_CITY=Cambridge"],
  ],
  ["So what do we do with the remote control design?", []],
  ["Visit www.example.org for the details.", ["URL=www.example.org"]],
  [
    "In 1961 President Kennedy spoke in Washington.",
    ["DATE=1961", "OCCUPATION=President", "NAME_FAMILY=Kennedy", "LOCATION_CITY=Washington"],
  ],
  ["Well, I will talk to Sarah about the budget.", ["NAME_GIVEN=Sarah"]],
  [
    "The nurse said that Mr. Brown may leave on Friday.",
    ["OCCUPATION=nurse", "NAME_FAMILY=Mr. Brown", "DATE=on Friday"],
  ],
  ["We sold five hundred units in the first quarter.", []],
  ["Let me share my screen and go through the slides.", []],
  [
    "He moved from Spain to the United States in June 2019.",
    ["LOCATION_COUNTRY=Spain", "LOCATION_COUNTRY=United States", "DATE=June 2019"],
  ],
  ["I owe you fifty bucks, right?", ["MONEY=fifty bucks"]],
  ["Will the marketing team join us?", []],
  [
    "Lisa, could you send Peter the contract by 5 pm today?",
    ["NAME_GIVEN=Lisa", "NAME_GIVEN=Peter", "TIME=5 pm", "DATE=today"],
  ],
];

/** Sentences as recognised in the shared recordings, with recognition errors: entities and sentiment. */
const RECOGNISED: [text: string, entities: string[], sentiment: string][] = [
  [
    "Mr. Quilter is the apostle of the middle classes, and we are glad to welcome his gospel.",
    ["NAME_FAMILY=Mr. Quilter"],
    "positive",
  ],
  [
    "And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them.",
    ["NAME=Mr. John Dashwood"],
    "neutral",
  ],
  ["And so my fellow Americans.", ["ORIGIN=Americans"], "neutral"],
  ["What your country can do for you ask what you can do for your country", [], "neutral"],
  ["My name's Adam Duguid.", ["NAME=Adam Duguid"], "neutral"],
  ["I'm the marketing expert.", ["OCCUPATION=marketing expert"], "neutral"],
  ["This is what a crocodile sounds like.", [], "neutral"],
  ["Ladies and gentlemen, please fasten your seatbelts.", [], "neutral"],
  ["We are expecting some turbulence.", [], "neutral"],
  ["Thank you.", [], "positive"],
  ["Great, thank you.", [], "positive"],
  ["You know, it's great to say.", [], "positive"],
  ["As long as you're interested, then that's fine.", [], "positive"],
  [
    "and we found it was some stupid well at the moment, our best guess is that it was some stupid Java thing about.",
    [],
    "negative",
  ],
  [
    "I'm not a hundred percent sure, but I'm not having crashes at the moment, so.",
    ["STATISTICS=a hundred percent"],
    "neutral",
  ],
  [
    "So, the few of you, and let's see, myself and Marika, who's not here, and I think so occasionally Melissa will all be doing checking of the transcriptions.",
    ["NAME_GIVEN=Marika", "NAME_GIVEN=Melissa"],
    "neutral",
  ],
  ["Can you just remind me?", [], "neutral"],
  [
    "I don't have to tick the note and OK thing until I finish writing, but it's only when I go back to it, I tick OK again.",
    [],
    "neutral",
  ],
  [
    "So this is the second pass these transcriptions are receiving and that's pretty straightforward, I think you all know.",
    [],
    "neutral",
  ],
  ["Did you guys actually have a conversation?", [], "neutral"],
  ["Had he married a more amiable woman, he might have been made still more respectable than he was.", [], "positive"],
  ["Unless to be rather cold-hearted and rather selfish is to be ill-disposed,", [], "negative"],
];

const SENTIMENTS: [string, string][] = [
  ["This is great, I am really happy with how it turned out.", "positive"],
  ["Thank you so much, you have been very helpful.", "positive"],
  ["I love the new design.", "positive"],
  ["That sounds perfect to me.", "positive"],
  ["We did an excellent job this quarter.", "positive"],
  ["This is the worst service that I have ever had.", "negative"],
  ["I am so angry, nobody called me back.", "negative"],
  ["The product broke after two days and I hate it.", "negative"],
  ["Unfortunately the project failed.", "negative"],
  ["I am worried that we lose the customer.", "negative"],
  ["It is not good at all.", "negative"],
  ["The meeting starts at ten.", "neutral"],
  ["We have three items on the agenda.", "neutral"],
  ["Please open the second page.", "neutral"],
  ["He went to the station by bus.", "neutral"],
  ["Can you repeat the number?", "neutral"],
  ["The remote control has two buttons.", "neutral"],
  ["The food was delicious but the waiter was horribly rude.", "mixed"],
];

const MODERATED: [string, boolean][] = [
  ["You are a complete idiot.", true],
  ["What the hell is this shit?", true],
  ["I am going to kill you.", true],
  ["Fuck off.", true],
  ["We assess the classic cocktail list.", false],
  ["The bus to Essex passes the grass.", false],
  ["Let us kill the process and start again.", false],
  ["That was a hard decision.", false],
];

function scores(hits: number, found: number, wanted: number) {
  return {
    "precision %": rounded((100 * hits) / (found || 1), 0),
    "recall %": rounded((100 * hits) / (wanted || 1), 0),
    of: wanted,
  };
}

function entityScores(sentences: [text: string, labels: string[]][]) {
  let hits = 0;
  let found = 0;
  let wanted = 0;
  for (const [text, labels] of sentences) {
    const spans = entitySpans(text).map(({ type, from, to }) => `${type}=${text.slice(from, to)}`);
    hits += spans.filter((span) => labels.includes(span)).length;
    found += spans.length;
    wanted += labels.length;
    const wrong = [
      ...labels.filter((label) => !spans.includes(label)).map((label) => `-${label}`),
      ...spans.filter((span) => !labels.includes(span)).map((span) => `+${span}`),
    ];
    if (wrong.length > 0) process.stderr.write(`${text}  ${wrong.join("  ")}\n`);
  }
  return scores(hits, found, wanted);
}

const results: Result[] = [
  { name: "entities, exact type and text", values: entityScores(ENTITIES) },
  { name: "… in recognised recordings", values: entityScores(RECOGNISED.map(([text, labels]) => [text, labels])) },
];
const judged = RECOGNISED.map(([text, , label]) => ({ text, label, found: sentimentOf(text) }));
for (const { text, label, found } of judged.filter((one) => one.label !== one.found)) {
  process.stderr.write(`${text}  -${label} +${found}\n`);
}
for (const kind of ["positive", "negative", "neutral"]) {
  const said = SENTIMENTS.filter(([text]) => sentimentOf(text) === kind);
  const right = said.filter(([, label]) => label === kind).length;
  results.push({
    name: `sentiment, ${kind}`,
    values: scores(right, said.length, SENTIMENTS.filter(([, label]) => label === kind).length),
  });
}
for (const kind of ["positive", "negative", "neutral"]) {
  const said = judged.filter(({ found }) => found === kind);
  results.push({
    name: `sentiment in recognised recordings, ${kind}`,
    values: scores(
      said.filter(({ label }) => label === kind).length,
      said.length,
      judged.filter(({ label }) => label === kind).length,
    ),
  });
}
const flagged = MODERATED.filter(([text]) => flagOf(text) !== undefined);
results.push({
  name: "moderation",
  values: scores(
    flagged.filter(([, isFoul]) => isFoul).length,
    flagged.length,
    MODERATED.filter(([, isFoul]) => isFoul).length,
  ),
});
printResults("Audio intelligence on a labelled set", results);
saveResults("intelligence", results);
