/** What an assistant says that asks callers who they are and why they call, and tells or shows it to the person; plain words. */
export const SCREENER_PATTERNS: readonly string[] = [
  "(?:using|uses|use) (?:a |an )?(?:\\p{L}+ ){0,3}(?:call )?(?:screening|screener|call assist\\p{L}*)|screening (?:service|assistant|this call|your call|calls)|(?:google|apple|siri|bixby|pixel|virtual|call) assistant (?:\\p{L}+ ){0,3}(?:screen|answer|on behalf|calling|will|and)|call screen(?:ing)?|bixby text call",
  "(?:see|check|find out|ask) (?:\\p{L}+ )?(?:if|whether) (?:\\p{L}+ ){1,5}(?:is|are|s|can) (?:\\p{L}+ )?(?:available|free|take (?:your|the|this) call|talk|pick up|around)",
  "(?:state|say|record|give|tell me|announce|provide) (?:\\p{L}+ )?(?:name|who you are|whos calling|who is calling)(?: \\p{L}+){0,6} (?:reason|why|purpose|connect|available|regarding|what)",
  "(?:state|say|record|announce) your name (?:\\p{L}+ ){0,8}(?:and|then) (?:\\p{L}+ ){0,4}(?:connect|available|put you through|try)",
  "(?:before i|before we|ill|i will|will) (?:try to |try and |attempt to )?(?:connect|put) you(?: through)? (?:can|could|may|please|tell|say)",
  "(?:say|tell me|state|record) (?:\\p{L}+ )?why (?:youre|you are|u r) calling",
  "(?:get|receive|see|hear) (?:a )?(?:copy|transcript) of (?:this|the|our) (?:conversation|call)",
  "subscriber (?:\\p{L}+ ){0,4}screen\\p{L}*|does not (?:accept|take) (?:calls from )?(?:unknown|unidentified|anonymous)|if you are a (?:real )?(?:person|human)|(?:not a robot|prove you are human)",
  // German
  "anruffilter|filterdienst|(?:namen|wer du bist|wer sie sind) und (?:\\p{L}+ ){0,4}(?:grund|warum|weshalb|anlass)(?: \\p{L}+){0,8}(?: verfugbar| aufnehm\\p{L}*| aufnimmst| nennen| nenne| sagen| sag)|(?:nenne|nennen|sage|sag|sagen) (?:\\p{L}+ ){0,4}namen und (?:\\p{L}+ ){0,4}(?:grund|warum|weshalb)|(?:prufe|sehe|schaue|frage) ich (?:\\p{L}+ )?ob (?:\\p{L}+ ){0,4}(?:verfugbar|erreichbar|zeit)",
  // Spanish
  "filtr\\p{L}+ (?:de )?(?:las |sus |mis )?llamadas|servicio de filtr\\p{L}+|(?:di|diga|dime|digame|graba\\p{L}*|grabe|indi\\p{L}+) (?:\\p{L}+ ){0,3}nombre y (?:\\p{L}+ ){0,4}(?:motivo|razon|por que)|(?:vere|comprobare|consultare|averiguare) si (?:\\p{L}+ ){0,5}disponible",
  // French
  "filtr\\p{L}+ (?:d|des |les |ses )?appels?|filtrage|(?:dites|indiquez|enregistrez|donnez|precisez) (?:\\p{L}+ ){0,2}nom et (?:\\p{L}+ ){0,4}(?:motif|raison|objet|pourquoi)|(?:verrai|verifierai|verifie|vais voir|vais verifier) si (?:\\p{L}+ ){0,5}(?:disponible|repondre)",
  // Italian, Portuguese, Dutch
  "filtr\\p{L}+ (?:delle )?chiamate|(?:registr\\p{L}+|di|dica|dimmi|indic\\p{L}+) (?:\\p{L}+ ){0,3}nome e (?:\\p{L}+ ){0,4}(?:motivo|perche)|(?:vedro|verifichero|controllero) se (?:\\p{L}+ ){0,5}disponibile",
  "filtr\\p{L}+ d?e? ?(?:chamadas|ligacoes)|(?:diga|grave|gravar|informe|fale) (?:\\p{L}+ ){0,3}nome e (?:\\p{L}+ ){0,4}(?:motivo|razao|por que|assunto)|(?:vou ver|verei|vou verificar|verificarei) se (?:\\p{L}+ ){0,5}disponivel",
  "oproep(?:en)? (?:screen|filter)\\p{L}*|(?:zeg|noem|spreek|vermeld) (?:\\p{L}+ ){0,3}naam (?:\\p{L}+ )?en (?:\\p{L}+ ){0,4}(?:reden|waarom)|(?:kijk|controleer|check|kijken) (?:ik )?of (?:\\p{L}+ ){0,5}(?:beschikbaar|bereikbaar)",
  // Japanese, romanised
  "(?:onamae|o namae|namae) to (?:\\p{L}+ ){0,4}(?:mokuteki|riyu+|yo+ken) (?:\\p{L}+ ){0,6}(?:kakunin|rokuon)|sukuri+ningu",
];

/** The same in Japanese script and Chinese. */
export const SCREENER_SCRIPT_PATTERNS: readonly string[] = [
  "(?:名前|なまえ)と(?:\\p{L}{0,8})(?:目的|理由|用件)(?:\\p{L}{0,30})(?:確認|出られるか|応答できるか)|スクリーニング|通話アシスト|着信フィルタ",
  "(?:姓名|名字)(?:和|以及|及)(?:\\p{L}{0,4})(?:来电|致电|來電)(?:\\p{L}{0,2})(?:原因|目的|事由)|来电过滤|來電過濾|来电筛选",
];
