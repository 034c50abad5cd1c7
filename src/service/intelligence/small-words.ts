// Pronouns, articles, prepositions, auxiliaries and conjunctions: words that usually have no comma behind them.

const WORDS: Readonly<Record<string, string>> = {
  en: "i you he she it we they this that these those there a an the my your his her its our their some any of in on at to for from with by about as into over than and or but so because if when who which is are was were be been am do does did have has had will would can could should may might must not i'm it's that's we're they're you're he's she's i've we've don't",
  de: "ich du er sie es wir ihr man das dies der die den dem des ein eine einen einem einer mein dein sein unser in im an am auf aus bei mit nach von vom vor zu zum zur für um über unter als wie und oder aber dass weil wenn ist sind war waren bin hat haben habe hatte wird werden kann können soll muss nicht",
  fr: "je tu il elle on nous vous ils elles ce cela ça c'est le la les un une des du de mon ma mes ton son sa ses notre votre leur à au aux en dans sur sous pour par avec sans chez et ou mais que qui parce si est sont était suis es ai as a ont avait va peut doit ne pas j'ai",
  es: "yo tú él ella ello nosotros ellos ellas usted ustedes esto eso el la los las lo un una unos unas mi tu su nuestro de del en a al con por para sin sobre entre y e o u pero que porque si cuando es son era eran fue está están estoy soy ha han he había va puede debe se me te le",
  pt: "eu tu ele ela nós eles elas você vocês isto isso aquilo o a os as um uma uns umas meu minha seu sua nosso de do da dos das em no na nos nas ao à com por para sem sobre entre e ou mas que porque se quando é são era eram foi está estão estou sou tem têm tenho vai pode deve me te lhe",
  it: "io tu lui lei noi voi loro questo quello ciò il lo la i gli le un uno una mio tuo suo nostro di del della in nel nella a al alla da dal con su sul per tra fra e ed o ma che perché se quando è sono era erano sei ho ha hanno aveva va può deve non si mi ti ci",
  nl: "ik jij je hij zij ze het wij we jullie u dit dat deze die er de een mijn jouw zijn haar ons onze hun in op aan bij met naar van voor uit om over onder als dan en of maar omdat is was waren ben heb heeft hebben had wordt kan kunnen zal moet niet",
};

const sets = new Map(Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(" "))]));

/** @param word  without marks @param language  ISO 639 code; false for a language without a list */
export const isSmallWord = (word: string, language: string): boolean =>
  sets.get(language)?.has(word.toLowerCase().replaceAll("’", "'")) ?? false;
