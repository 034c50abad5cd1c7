// Plural nouns of French, Spanish, Portuguese, Italian and Dutch that a number counts, so that it is no minute of a clock: "a las tres y
// veinte niños llegaron".

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** People and what is often counted, without accents. */
const COUNTED: ReadonlySet<string> = wordsOf(`
  leute personen menschen gaste kinder
  personnes gens hommes femmes enfants filles garcons jeunes eleves etudiants etudiantes invites clients soldats joueurs ouvriers
  employes salaries manifestants passagers voyageurs touristes spectateurs policiers gendarmes agents pompiers victimes morts blesses
  membres participants parents amis copains collegues voisins chiens chats voitures maisons jours semaines mois ans
  personas hombres mujeres ninos ninas chicos chicas alumnos alumnas amigos amigas estudiantes jovenes invitados huespedes clientes
  soldados jugadores trabajadores empleados pasajeros viajeros turistas manifestantes agentes policias bomberos victimas muertos
  heridos miembros participantes padres companeros vecinos perros gatos coches casas dias semanas meses anos
  pessoas criancas homens mulheres meninos meninas rapazes raparigas alunos alunas estudantes jovens convidados jogadores
  trabalhadores funcionarios empregados passageiros policiais bombeiros vitimas mortos feridos membros pais colegas vizinhos caes
  carros
  persone uomini donne bambini bambine ragazzi ragazze studenti studentesse giovani invitati ospiti clienti soldati giocatori
  lavoratori impiegati operai passeggeri viaggiatori turisti manifestanti agenti poliziotti carabinieri pompieri vittime morti feriti
  membri partecipanti genitori amici amiche colleghi vicini cani gatti macchine auto case giorni settimane mesi anni
  mensen mannen vrouwen kinderen jongens meisjes leerlingen studenten jongeren gasten klanten soldaten spelers werknemers medewerkers
  passagiers reizigers toeristen demonstranten agenten slachtoffers doden gewonden leden deelnemers ouders vrienden collega's buren
  honden katten auto's huizen dagen weken maanden jaar`);

interface Plural {
  /** How a noun ends. */
  noun: RegExp;
  /** How a verb of several people ends: "llegaron". */
  verb: RegExp;
  /** Other words with these ends. */
  other: ReadonlySet<string>;
}

const LEAST_LETTERS = 4;
const PLURALS: Readonly<Record<string, Plural>> = {
  fr: {
    noun: /[sx]$/,
    verb: /(?:^|[^m])ent$|ont$/,
    other: wordsOf(`
      dans sans sous apres puis mais chez nous vous elles leurs plus moins jamais toujours alors tres vers depuis lors pres mars
      precises passees tous toutes deux trois ceux celles certains certaines quelques plusieurs souvent dont pont mont`),
  },
  es: {
    noun: /s$/,
    verb: /[aeo]n$/,
    other: wordsOf(`
      ellos ellas todos todas menos pues despues antes tras nosotros ustedes unos unas tres seis lunes martes jueves viernes algunos
      algunas muchos muchas estos estas esos esas con sin bien tambien`),
  },
  pt: {
    noun: /s$/,
    verb: /[aeo]m$|ao$/,
    other: wordsOf(`
      eles elas todos todas mais menos depois antes apos nos alguns algumas muitos muitas estes estas esses essas com sem quem nem bem
      tambem nao entao sabado`),
  },
  it: {
    noun: /[ie]$/,
    verb: /(?:[aeo]|ro|so)no$/,
    other: wordsOf(`
      dove come oggi quindi anche mentre sempre forse tutti tutte quasi domani ieri loro perche circa alcuni alcune molti molte questi
      queste quelli quelle lunedi martedi mercoledi giovedi venerdi treno meno almeno nemmeno uno buono`),
  },
};

/**
 * Whether what follows a number is counted by it: a noun for people, or a plural noun before its verb.
 * @param word    right behind the number, in small letters without accents
 * @param second  behind `word`
 */
export function isCountedNoun(word: string, second: string, language: string): boolean {
  if (COUNTED.has(word)) return true;
  const plural = PLURALS[language];
  if (!plural || word.length < LEAST_LETTERS || plural.other.has(word) || plural.other.has(second)) return false;
  return plural.noun.test(word) && plural.verb.test(second);
}
