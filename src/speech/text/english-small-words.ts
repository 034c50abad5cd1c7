// English words that say little of what a text is about. Separate from those of other languages, which are a package of their own.
export const ENGLISH_SMALL_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are aren't as at be because been before being below between both
  but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each even few for from
  further get go going gonna got had has have haven't having he he's her here hers herself him himself his how i i'd
  i'll i'm i've if in into is isn't it it's its itself just know let let's like lot make maybe me mean more most much my
  myself no nor not now of off oh ok okay on once one only or other our ours out over own put quite really right said
  same say see she should so some something still such sure take than that that's the their theirs them themselves then
  there there's these they they're thing things think this those through to too um uh under until up us very want was
  wasn't way we we'll we're we've well were what when where which while who whom why will with won't would yeah yes yep
  you you'll you're you've your yours yourself actually basically kind sort guess hmm mm cause gotta two three`.split(
    /\s+/,
  ),
);
