// Messages of the service in French: src/contract/messages has their English forms. The conventions are those of tables/fr.ts.
import type { MessageTexts } from "../../../../src/contract/messages/read-message.ts";

export const messages: MessageTexts = {
  "request.invalid": "Paramètres non valides ; validation_errors les nomme.",
  "request.malformed": "La requête est illisible : {reason}",
  "request.not_found": "Introuvable : {what}",
  "request.not_found.job": "Cet enregistrement n’existe pas.",
  "request.not_found.note": "Cette note n’existe pas.",
  "request.not_found.key": "Cette clé n’existe pas.",
  "request.not_found.voice": "Cette voix n’existe pas.",
  "request.not_found.word": "Ce mot n’est pas dans le vocabulaire.",
  "request.not_found.vocabulary_list": "Cette liste de mots n’existe pas.",
  "request.not_found.audio": "Le son de cet enregistrement n’est plus là.",
  "request.not_found.correction": "Il n’y a pas de correction à annuler.",
  "request.other_page":
    "La requête vient d’une page d’une autre origine. Sans clé dans un en-tête, seules les pages de ce service et de PARLANCE_CORS_ORIGINS peuvent envoyer des requêtes ; seule la console permet de se connecter.",
  "request.foreign_host":
    "L’hôte {host} n’est pas celui de ce service. PARLANCE_PUBLIC_URL ou PARLANCE_ALLOWED_HOSTS doit donner le nom par lequel on l’atteint ; sinon, il faut une clé dans un en-tête.",
  "request.too_large": "La requête dépasse les {megabytes} Mo permis.",
  "request.too_large.unknown": "La requête est trop grande.",
  "request.body_too_slow":
    "Les données arrivent trop lentement : il faut au moins {bytes} octets toutes les {seconds} secondes.",
  "account.key_missing":
    "Aucune clé n’a été envoyée. Sa place est dans l’en-tête {header}, ou dans authorization: Bearer KEY.",
  "account.key_unknown": "Cette clé est inconnue ou révoquée.",
  "account.too_many_guesses":
    "Trop de clés erronées ont été envoyées depuis cette adresse ou ce réseau ; attendez {seconds} secondes. Les clés déjà reconnues restent acceptées.",
  "account.not_operator":
    "Seules les clés du compte par défaut peuvent lire ou changer ce qui concerne tout le service.",
  "limit.keys": "Ce compte a atteint sa limite de {most} clés ; révoquez-en une d’abord.",
  "limit.queued_jobs": "{limit} enregistrements de ce compte attendent déjà.",
  "limit.event_streams": "Ce processus a déjà {limit} flux d’événements de ce compte ; fermez-en un d’abord.",
  "limit.requests": "Ce compte peut envoyer {limit} requêtes par seconde.",
  "callbacks.header_locked":
    "La valeur de webhook_auth_header_value ne peut pas être ouverte ; ce webhook ne peut pas être envoyé. L’exploitant doit rétablir le PARLANCE_SECRETS_KEY qui l’a scellée, ou l’indiquer comme PARLANCE_SECRETS_KEY_PREVIOUS.",
  "callbacks.secrets_locked":
    "Le secret des callbacks de ce compte ne peut pas être ouvert ; ses callbacks attendent. L’exploitant doit rétablir le PARLANCE_SECRETS_KEY qui l’a scellé ; si cette clé est perdue, créez un nouveau secret.",
  "callback.failed": "Le callback n’a pas pu être envoyé : {reason}",
  "storage.full":
    "Il n’y a plus de place sur le disque (df -h, df -i). Supprimez des enregistrements, réglez PARLANCE_AUDIO_RETENTION_DAYS ou libérez de la place ; le service reprend alors de lui-même.",
  "storage.full.free":
    "Il n’y a plus de place sur le disque du service : {free} Mo sont libres. Supprimez des enregistrements, réglez PARLANCE_AUDIO_RETENTION_DAYS ou libérez de la place ; les requêtes sont ensuite de nouveau acceptées.",
  "storage.full.reserved":
    "Il n’y a plus de place sur le disque du service : {free} Mo sont libres, {reserved} Mo sont réservés. Supprimez des enregistrements, réglez PARLANCE_AUDIO_RETENTION_DAYS ou libérez de la place ; les requêtes sont ensuite de nouveau acceptées.",
  "storage.unavailable":
    "Le stockage des enregistrements et des transcriptions ne répond pas ; réessayez dans un instant.",
  "storage.recording_damaged":
    "L’enregistrement stocké est endommagé : il a {found} octets sur {expected}. Restaurez-le d’une sauvegarde, ou envoyez-le de nouveau.",
  "system.exhausted":
    "La machine n’a plus de descripteurs de fichiers, de mémoire ou de processus pour ce service ; réessayez dans un instant. Si cela revient souvent, relevez les limites (ulimit -n, ulimit -u, mémoire du conteneur).",
  "database.unavailable": "La base de données ne répond pas ; réessayez dans un instant.",
  "database.value": "Une valeur de la requête ne peut pas être stockée : {reason}",
  "process.died": "Le processus {process} s’est arrêté de façon inattendue ({reason}).",
  "process.bystander": "Le processus {process} s’est arrêté pendant qu’il traitait une autre tâche.",
  "process.timeout": "Le processus {process} n’a pas répondu en {seconds} s.",
  "process.timeout.start": "Le processus {process} n’a pas pu démarrer : {reason}",
  "process.failed": "Le processus {process} a échoué ; le journal donne la raison.",
  "recognition.queue_full": "La file d’attente de la reconnaissance est pleine.",
  "work.aborted": "Le travail a été arrêté.",
  internal: "Quelque chose a échoué dans le service ; le journal donne la raison sous l’identifiant de cette requête.",
  "internal.hidden": "Le service a échoué ; son journal donne la raison.",
  "service.not_ready": "Le service ne peut pas accepter de requêtes : {reason}",
  "file.in_use": "Un enregistrement en cours a besoin de ce fichier. Attendez sa fin, ou supprimez-le.",
  "file.unknown": "Ce fichier envoyé n’existe plus ; envoyez-le de nouveau.",
  "file.too_large": "Le fichier dépasse les {megabytes} Mo permis.",
  "media.not_decodable": "Le fichier ne peut pas être lu comme son ou vidéo : {reason}",
  "media.encrypted":
    "Le son du fichier est chiffré ({scheme}). Prenez un enregistrement sans protection, ou déchiffrez le fichier avant de l’envoyer.",
  "media.empty": "Le fichier est vide.",
  "media.no_audio_track": "Le fichier n’a pas de piste audio.",
  "media.no_such_track": "Le fichier n’a pas de piste audio {requested}. Pistes : {tracks}",
  "media.empty_range":
    "La partie choisie ne contient pas de son : elle commence à {start} s et l’enregistrement se termine à {end} s.",
  "media.empty_range.part": "La partie de l’enregistrement de {start} à {end} s ne contient pas de son.",
  "media.no_audio": "La piste audio du fichier ne contient pas de son.",
  "media.too_long": "Le son dépasse les {minutes} minutes permises.",
  "media.time_limit": "La lecture a été arrêtée après {spent} s : seules {decoded} s de son étaient lues.",
  "decode.queue_full": "Trop de fichiers envoyés attendent d’être lus ; réessayez dans un instant.",
  "fetch.address_not_allowed": "L’adresse n’est pas permise : {reason}",
  "fetch.unauthorized":
    "L’adresse demande une authentification (401). Vérifiez le nom d’utilisateur et le mot de passe dans l’adresse, prenez une adresse signée, ou envoyez le fichier.",
  "fetch.forbidden":
    "L’adresse ne peut pas être lue (403). Le fichier est privé, ou l’adresse a expiré ; signez-la de nouveau, ou envoyez le fichier.",
  "fetch.not_found": "Il n’y a rien à cette adresse (404). Vérifiez-la.",
  "fetch.gone": "Le fichier à cette adresse a été retiré définitivement (410).",
  "fetch.rate_limited": "L’hôte de l’adresse refuse pour l’instant d’autres requêtes (429).",
  "fetch.rate_limited.pause":
    "L’hôte de l’adresse refuse pour l’instant d’autres requêtes (429) et demande une pause de {seconds} s.",
  "fetch.failed": "L’adresse n’a pas pu être lue : {reason}",
  "fetch.given_up": "{problem} (plus aucun essai)",
  "fetch.given_up.pause": "{problem} (abandonné : la pause demandée de {seconds} s est trop longue)",
  "fetch.queue_full": "Trop d’adresses de ce compte attendent d’être lues ; réessayez dans un instant.",
  "upload.wrong_offset":
    "Upload-Offset vaut {given}, mais {stored} octets sont stockés. Demandez la position avec HEAD et continuez de là.",
  "upload.taken_over": "Une requête plus récente continue ou termine cet envoi.",
  "upload.beyond_length":
    "Il est arrivé plus de données que les {bytes} octets annoncés ; le surplus n’est pas stocké.",
  "upload.expired": "Cet envoi a expiré : aucune donnée n’est arrivée pendant trop longtemps. Recommencez-le.",
  "upload.checksum_differs":
    "Les données reçues ont une autre somme de contrôle ({algorithm}) ; elles ne sont pas stockées. Envoyez-les de nouveau.",
  "limit.uploads":
    "{limit} envois de ce compte sont inachevés. Terminez-en ou supprimez-en ; ceux qui ne reçoivent plus rien expirent.",
  "limit.upload_bytes":
    "Les envois inachevés de ce compte ne peuvent pas dépasser {megabytes} Mo au total. Terminez-en ou supprimez-en ; ceux qui ne reçoivent plus rien expirent.",
  "limit.upload_parts":
    "Cet envoi est arrivé en {limit} morceaux, ce qui est le maximum. Recommencez avec des morceaux plus grands.",
  "upload.completing":
    "Toutes les données sont stockées, le fichier est en cours de vérification ; réessayez dans un instant.",
  "job.not_finished":
    "L’enregistrement n’est pas terminé ({status}) ; seul un enregistrement terminé ou en échec peut être supprimé.",
  "job.no_transcript": "La transcription n’existe qu’une fois l’enregistrement terminé ({status}).",
  "job.no_transcript.expired": "La transcription n’est plus là : elle a dépassé la durée de conservation.",
  "job.fills_disk":
    "Cet enregistrement demande plus de place qu’il n’en reste sur le disque : 115 Mo par heure et par canal. Libérez de la place, ou envoyez-le en plusieurs parties.",
  "job.poisoned":
    "Cet enregistrement a mis fin trois fois à son processus à l’étape « {stage} » et a échoué. La dernière fois : {reason}. Le fichier est peut-être endommagé.",
  "job.interrupted": "Cet enregistrement a été interrompu plusieurs fois sans avancer et a échoué.",
  "job.not_ended": "Le service n’a pas pu stocker la fin de cet enregistrement ; son journal donne la raison.",
  "job.result_damaged":
    "La transcription stockée est endommagée et ne peut pas être refaite. L’enregistrement est là : téléchargez-le et envoyez-le de nouveau.",
  "job.result_damaged.whole":
    "La transcription stockée est endommagée et ne peut pas être refaite. L’enregistrement manque ou est endommagé, lui aussi.",
  "job.result_remade":
    "La transcription stockée était endommagée ; l’enregistrement est transcrit de nouveau. Réessayez ensuite.",
  "transcripts.queue_full": "Trop de transcriptions attendent d’être écrites ; réessayez dans un instant.",
  "limit.corrections":
    "Cette transcription a atteint sa limite de {most} corrections, annulées comprises, avec {characters} caractères en tout.",
  "correction.outdated":
    "La transcription a été corrigée entre-temps : le changement valait pour la version {expected}, la version actuelle est {version}.",
  "limit.tags": "Un enregistrement a au plus {most} étiquettes ; il en aurait {count}. Retirez-en d’abord.",
  "limit.notes": "Cette transcription a {most} notes, ce qui est le maximum ; supprimez-en une d’abord.",
  "limit.shares": "Cette transcription a {most} liens, ce qui est le maximum ; révoquez-en un d’abord.",
  "share.unavailable":
    "Ce lien n’ouvre aucune transcription : il est incomplet, a expiré ou a été révoqué, ou la transcription a été supprimée. Demandez un nouveau lien.",
  "note.outdated":
    "La note a été changée entre-temps : le changement valait pour la version {expected}, la version actuelle est {version}.",
  "limit.vocabulary":
    "Le vocabulaire aurait plus de {most} mots, ou plus de {forms} mots et prononciations ensemble. Retirez-en d’abord.",
  "limit.vocabulary_lists": "Ce compte a {most} listes de mots, ce qui est le maximum ; supprimez-en une d’abord.",
  "vocabulary_list.name_taken": "Il y a déjà une liste de mots nommée {name} ; changez-la, ou choisissez un autre nom.",
  "vocabulary_list.outdated":
    "La liste de mots a été changée entre-temps : le changement valait pour la version {expected}, la version actuelle est {version}.",
  "vocabulary_list.unknown":
    "Ce compte n’a pas la liste de mots choisie : {name}. Elle a peut-être été supprimée ou renommée.",
  "stretches.no_audio": "Le son de cet enregistrement n’est plus là. Sans lui, aucun passage n’est reconnu de nouveau.",
  "stretches.redacted":
    "Des données personnelles ont été retirées de cette transcription. Le son n’est pas reconnu de nouveau, car la réponse pourrait les contenir.",
  "stretches.busy":
    "Trop de passages attendent d’être reconnus de nouveau (au plus {account} par compte, {all} en tout) ; réessayez dans un instant.",
  "add_ons.running": "Un ajout à cette transcription est en cours. D’autres seront possibles ensuite.",
  "add_ons.no_audio":
    "Le son de cet enregistrement n’est plus là. Sans lui, aucun locuteur n’est trouvé ; le reste peut être ajouté.",
  "add_ons.speakers_corrected":
    "Les locuteurs de cette transcription ont été corrigés à la main. Ils ne sont remplacés que si c’est choisi expressément ; annuler la correction avec les nouveaux rétablit les anciens.",
  "add_ons.outdated": "La transcription a été supprimée ou refaite entre-temps. Refaites la demande.",
  "add_ons.failed": "Pas fait : {names}. {reason}",
  "redaction.unavailable": "{reason}. Le texte avec les données personnelles n’est pas renvoyé.",
  "voices.off":
    "La bibliothèque de voix de ce compte est désactivée. Les empreintes vocales sont des données biométriques ; il faut l’activer expressément (PUT /v2/voices/settings).",
  "voices.no_key":
    "Les voix ne sont stockées que chiffrées, et ce service n’a pas de clé pour cela. L’exploitant doit définir PARLANCE_SECRETS_KEY.",
  "voices.locked":
    "Les voix de ce compte ne peuvent pas être ouvertes. L’exploitant doit rétablir le PARLANCE_SECRETS_KEY qui les a scellées ; si cette clé est perdue, supprimez-les (PUT /v2/voices/settings).",
  "voices.stored":
    "La bibliothèque a {count} voix, que la désactivation supprime ; il faut le confirmer par delete_voices.",
  "voices.name_taken": "Il y a déjà une voix nommée {name} ; ajoutez-lui un échantillon, ou choisissez un autre nom.",
  "limit.voices": "Ce compte a {most} voix, ce qui est le maximum ; supprimez-en une d’abord.",
  "limit.voice_samples": "Une voix a au plus {most} échantillons.",
  "voices.refused": "L’enregistrement ne peut pas représenter la voix d’une personne : {reason}",
  "voices.no_model": "Les voix demandent le modèle {model}, qui n’est pas installé et n’a pas pu être téléchargé.",
  "voices.no_model.unset": "Les voix demandent un modèle de locuteurs, et PARLANCE_SPEAKER_MODEL n’en nomme aucun.",
  "voices.audio_gone": "Cet enregistrement a été supprimé ; envoyez plutôt un enregistrement de la personne.",
  "limit.live_sessions": "{limit} sessions en direct sont déjà ouvertes.",
  "limit.live_sessions.account": "{limit} sessions en direct de ce compte sont déjà ouvertes.",
  "limit.live_connections": "{limit} connexions en direct de ce compte s’ouvrent déjà ; réessayez dans un instant.",
  "service.overloaded":
    "La capacité ne suffit pas pour une autre session en direct : {most} au plus sont possibles en ce moment. Réessayez plus tard.",
  "live.log_lost": "Ce processus ne tient plus la session en direct.",
  "live.unused": "Personne ne s’est connecté à la session avant l’expiration de son jeton.",
  "live.audio_unreadable": "Le son de la session en direct est illisible : {reason}",
  "live.source_refused": "La source est illisible : {reason}",
  "live.source_failed": "La source n’a pas pu être lue : {reason}",
  "live.source_absent": "La source est introuvable : {reason}",
  "live.source_decoder_lost": "La source n’a pas pu être lue : son audio a arrêté ou bloqué le décodeur.",
  "limit.viewers":
    "{limit} personnes suivent déjà cette session sur ce processus ; réessayez quand l’une d’elles sera partie.",
  "live.without_viewers":
    "Les sous-titres de cette session ne sont pas conservés pour des spectateurs ; il faut la créer avec captions: true.",
  "live.failed": "Le service a échoué sur cette session ; son journal donne la raison.",
  "recognition.language_unavailable":
    "Aucun modèle installé ne reconnaît {languages} ; ils reconnaissent {installed}. {remedy}",
  "recognition.language_unavailable.model":
    "Le modèle {model} ne connaît pas {languages}, seulement {known}. N’en nommez aucun, ou prenez-en un qui la connaît ({command} models list).",
  "recognition.not_english":
    "La langue n’est pas l’anglais, et aucun modèle installé n’en reconnaît d’autre. Ajoutez-en un : {command}. Si c’est de l’anglais, choisissez cette langue.",
  "recognition.not_english.fetch":
    "La langue n’est pas l’anglais, et aucun modèle installé n’en reconnaît d’autre. Le modèle {model} n’a pas pu être téléchargé ; le journal donne la raison. {remedy}",
  "recognition.language_undetected":
    "La langue ne peut pas être détectée : les modèles installés ne reconnaissent que l’anglais. Ajoutez-en un qui détecte les langues : {command}",
  "recognition.no_speech": "La langue ne peut pas être détectée : aucune parole au début de l’enregistrement.",
  "models.missing": "Le modèle {model} n’est pas installé. {remedy}",
  "models.on_its_way":
    "Le modèle {model}, nécessaire pour cette langue, est en cours de téléchargement ({progress}) ; réessayez ensuite.",
  "models.unknown": "Il n’y a pas de modèle « {model} ». {hint}",
  "models.fetch_failed": "{address} n’a pas pu être téléchargé : {reason}. Ce qui est arrivé est gardé. {remedy}",
  "models.refused": "{address} a répondu {status} : il faut un jeton autorisé à lire (PARLANCE_MODELS_TOKEN).",
  "models.refused.missing": "{address} a répondu {status} : ce fichier n’existe pas. Le nom est-il correct ?",
  "models.wrong_hash": "{file} diffère du fichier de la source (SHA-256) et a été supprimé. Réessayez.",
  "models.no_space":
    "Le modèle demande {needed} Mo, et le disque des modèles a {free} Mo libres. Libérez de la place, ou placez PARLANCE_MODELS_DIR sur un autre disque.",
  "models.damaged": "Le modèle {model} est endommagé : {problems}. Lancez : {command}",
  "models.built_in": "Le modèle {model} fait partie du programme et ne peut pas être retiré.",
  "language_model.configured":
    "Le modèle de langage est fixé par PARLANCE_LLM_URL ; changez ce réglage pour en utiliser un autre.",
  "language_model.one_process":
    "Seul ce processus utiliserait le modèle de langage, car PARLANCE_ROLES divise le service. Réglez PARLANCE_LLM_URL et PARLANCE_LLM_MODEL pour chacun.",
  "language_model.memory":
    "Le modèle de langage {model} demande {needed} Mo de mémoire, et {free} Mo sont libres. Prenez-en un plus petit avec PARLANCE_LANGUAGE_MODEL ({command}), ou donnez plus de mémoire au service.",
  "language_model.unavailable":
    "Les modèles de langage demandent le paquet {package}, absent ou inutilisable ici. Lancez npm ci sans --omit=optional, ou réglez PARLANCE_LLM_URL sur un serveur.",
  "language_model.damaged": "Le modèle de langage {model} ne peut pas être chargé : {reason}. Vérifiez-le : {command}",
  "language_model.removed": "Le modèle de langage a été retiré ou est illisible. Ajoutez-le de nouveau : {command}",
  "language_model.too_long":
    "La question demande {needed} jetons avec sa réponse, et le modèle de langage a de la place pour {room}. Raccourcissez-la, ou prenez un modèle au contexte plus long.",
  "language_model.failed": "Le modèle de langage a échoué pendant qu’il écrivait la réponse.",
  "questions.unavailable": "Indisponible : {reason}",
  "questions.failed": "Pas de réponse : {reason}",
  "questions.busy":
    "Trop de questions attendent une réponse (au plus {account} par compte, {all} en tout) ; réessayez plus tard.",
  "language_model.not_installed":
    "La réponse nécessite le modèle de langage {model}, qui n’est pas installé. Le téléchargement fait {size} Mo.",
  "language_model.not_installed.unsized":
    "La réponse nécessite le modèle de langage {model}, qui n’est pas installé. Il faut le télécharger.",
  "language_model.on_its_way":
    "Le modèle de langage {model} est en cours de téléchargement ({progress}) ; reposez la question ensuite.",
  "language_model.busy":
    "Trop de requêtes attendent le modèle de langage (au plus {account} par compte, {all} en tout) ; réessayez plus tard.",
  "media.damaged": "son audio est endommagé ou d’un codage inconnu",
  "media.damaged_packets": "{damaged} des {count} paquets de son audio sont endommagés ou chiffrés",
  "media.document": "c’est {document}, pas un enregistrement",
  "media.unknown_format": "son format est inconnu, ou il est endommagé ou coupé",
  "media.unknown_format.encrypted":
    "son format est inconnu ; ses octets semblent chiffrés, comme ceux d’un segment HLS protégé",
  "media.no_index": "son index (la boîte « moov ») manque : l’enregistreur n’a pas fini le fichier, ou il est coupé",
  "media.decoder_ended": "il a arrêté deux fois le décodeur",
  "fetch.reason.unreachable": "son hôte est injoignable",
  "fetch.reason.slow": "son hôte était trop lent",
  "fetch.reason.cut": "son hôte a coupé la réponse",
  "fetch.reason.no_address": "le nom de son hôte n’existe pas",
  "fetch.reason.answered": "son hôte a répondu {status}",
  "fetch.reason.private":
    "son hôte est dans un réseau privé ; l’exploitant peut permettre les adresses privées avec PARLANCE_ALLOW_PRIVATE_ADDRESSES=true",
  "voices.reason.no_person": "cette partie de la transcription ne contient pas la parole d’une seule personne",
  "voices.reason.no_speech": "aucune parole n’y a été trouvée ; enregistrez 10 s de la personne seule",
  "voices.reason.noise":
    "il contient de la musique ou du bruit et presque pas de parole ; enregistrez 10 s de la personne seule",
  "voices.reason.two_voices": "il contient plus d’une voix ({own} s et {other} s) ; enregistrez une personne seule",
  "voices.reason.short":
    "il contient {seconds} s de parole d’une personne ; il en faut au moins {least} s, et 10 s sont mieux",
  "voices.reason.unclear":
    "il ne sonne pas comme une seule voix claire ; enregistrez la personne seule, sans musique ni bruit",
  "models.hint.known": "Noms connus : {names}",
  "models.hint.similar": "Semblables : {names}. {rest}",
  "models.hint.list":
    "{command} models list montre ceux qu’on peut ajouter par leur nom ; autres : hf:OWNER/NAME, hf:OWNER/NAME:FILE.gguf, un dossier ou un fichier GGUF",
  "models.remedy.add": "Ajoutez-le avec : {command}",
  "models.remedy.language": "Ajoutez un modèle qui la reconnaît : {command}",
  "models.remedy.not_fetched": "Il n’a pas pu être téléchargé ; le journal donne la raison. {remedy}",
  "models.remedy.hub":
    "Derrière un proxy, réglez HTTPS_PROXY ; pour un miroir, PARLANCE_MODELS_URL ; sans réseau, copiez le modèle ici et lancez {command}",
  "models.optional.missing": "le modèle {model} n’est pas installé ; l’opérateur peut l’ajouter : {command}",
  "models.optional.not_fetched":
    "le modèle {model} n’est pas installé et n’a pas pu être téléchargé ({reason}) ; l’opérateur peut l’ajouter : {command}",
  "models.optional.none": "{variable} est vide ; l’opérateur peut y indiquer un modèle",
  "models.optional.other": "{variable} indique {model}, qui n’est pas un modèle adapté",
  "models.optional.failed": "le modèle {model} a échoué ; le journal du service donne la raison",
  "models.optional.unread": "les modèles installés n’ont pas pu être lus",
  "service.reason.stopping": "il va s’arrêter",
  "service.reason.no_recogniser": "aucun processus de reconnaissance ne tourne",
  "service.reason.database": "la base de données ne répond pas",
  "addon.needs_model":
    "{name} demande un modèle de langage, et aucun n’est installé. Ajoutez-en un : {command} ; ou réglez PARLANCE_LLM_URL (et PARLANCE_LLM_MODEL) sur un serveur compatible avec OpenAI",
  "addon.needs_model.off":
    "{name} demande un modèle de langage, et PARLANCE_LANGUAGE_MODEL est none. Mettez {model}, ou réglez PARLANCE_LLM_URL (et PARLANCE_LLM_MODEL) sur un serveur compatible avec OpenAI",
  "addon.needs_model.missing":
    "{name} demande un modèle de langage, et {model} (PARLANCE_LANGUAGE_MODEL) n’est pas installé. Ajoutez-le : {command} ; ou réglez PARLANCE_LLM_URL (et PARLANCE_LLM_MODEL) sur un serveur compatible avec OpenAI",
  "addon.language": "{name} ne prend en charge ici que {languages}, et la langue parlée est {spoken}",
  "addon.language.model":
    "{name} ne prend en charge ici que {languages}, et la langue parlée est {spoken} ; un modèle de langage prend en charge d’autres langues : réglez PARLANCE_LLM_URL, ou ajoutez-en un ({command})",
  "addon.late": "{name} n’a pas fini en {seconds} s",
  "addon.late.process": "{name} n’a pas fini ; la transcription est complète sans cela",
  "addon.late.all": "Les compléments ne se sont pas terminés à temps ; la transcription est complète",
  "addon.slow": "{name} est trop lent pour cette session",
  "addon.too_long": "La transcription est trop longue pour le modèle de langage",
  "addon.budget": "Il faudrait plus que les {tokens} jetons permis par PARLANCE_LLM_MAX_TOKENS",
  "addon.no_text": "Le modèle de langage a répondu sans texte",
  "addon.wrong_form": "Le modèle de langage n’a pas répondu sous la forme demandée",
  "addon.unusable": "La réponse du modèle de langage est inutilisable",
  "addon.model_stopped": "Le modèle de langage ne répondait plus et a été arrêté",
  "addon.model_ended": "Le processus du modèle de langage s’est arrêté pendant la réponse ; le journal donne la raison",
  "addon.prompt":
    "L’instruction compte {tokens} jetons, et le modèle de langage n’a de la place que pour {room}, transcription et réponse comprises. Raccourcissez-la, ou prenez un modèle au contexte plus long.",
  "addon.server": "{server} a échoué : {reason}",
  "addon.no_chapter": "Le modèle de langage n’a nommé aucun chapitre",
  "diarization.failed": "Les locuteurs n’ont pas pu être distingués ; la transcription est complète sans eux",
  "translation.left_out": "Le modèle de langage a omis une partie de la traduction",
  "translation.late": "La traduction n’a pas fini à temps ({models})",
  "translation.failed": "Le processus de traduction a échoué. Vérifiez son modèle : {command} (utilisés : {models})",
  "translation.no_model":
    "Aucun modèle de traduction n’est installé pour {pair}. Ajoutez-le : {command} ; ou réglez PARLANCE_LLM_URL ou PARLANCE_TRANSLATE_URL sur un serveur",
  "translation.not_published":
    "Il n’existe pas de modèle de traduction pour {pair} ; réglez PARLANCE_LLM_URL ou PARLANCE_TRANSLATE_URL sur un serveur",
  "questions.needs_model":
    "Une question sur une transcription demande un modèle de langage, et aucun n’est installé. Ajoutez-en un : {command} ; ou réglez PARLANCE_LLM_URL (et PARLANCE_LLM_MODEL) sur un serveur compatible avec OpenAI",
  "questions.needs_model.off":
    "Une question sur une transcription demande un modèle de langage, et PARLANCE_LANGUAGE_MODEL est none. Mettez {model}, ou réglez PARLANCE_LLM_URL (et PARLANCE_LLM_MODEL) sur un serveur compatible avec OpenAI",
  "questions.needs_model.missing":
    "Une question sur une transcription demande un modèle de langage, et {model} (PARLANCE_LANGUAGE_MODEL) n’est pas installé. Ajoutez-le : {command} ; ou réglez PARLANCE_LLM_URL (et PARLANCE_LLM_MODEL) sur un serveur compatible avec OpenAI",
  "questions.process_ended": "Le processus qui écrit la réponse s’est arrêté ; reposez la question",
  "questions.late": "La réponse a pris plus de {seconds} s",
  "questions.no_words": "La transcription n’a pas de mots ; aucune question ne peut trouver de réponse",
  "field.web_address": "{field} doit être une adresse web en http ou https",
  "field.web_address.credentials": "{field} doit être une adresse web sans nom d’utilisateur ni mot de passe",
  "field.web_address.encoding":
    "{field} a un nom d’utilisateur ou un mot de passe avec un signe qui doit être encodé avec un pourcentage : %2F (/), %3F (?), %23 (#), %40 (@) et %5C (\\)",
  "field.web_address.private":
    "{field} doit être une adresse d’un réseau public ; l’exploitant peut permettre les adresses privées avec PARLANCE_ALLOW_PRIVATE_ADDRESSES=true",
  "field.number": "{field} doit être un nombre dans l’intervalle permis",
  "field.integer": "{field} doit être un nombre entier",
  "field.one_of": "{field} doit être une de ces valeurs : {values}",
  "field.one_of.given": "{field} doit être une de ces valeurs : {values} ; {given}",
  "field.only": "{field} ne peut contenir que ces valeurs : {values}",
  "field.only.given": "{field} ne peut contenir que ces valeurs : {values} ; {given}",
  "field.required": "{field} est obligatoire",
  "field.required.when": "{field} est obligatoire quand {switch} est activé",
  "field.not_part": "{field} ne fait pas partie de cette requête",
  "field.minimum": "{field} ne doit pas être inférieur à {limit}",
  "field.maximum": "{field} ne doit pas dépasser {limit}",
  "field.order": "{field} ne doit pas dépasser {other}",
  "field.speakers": "{field} ne doit pas dépasser {other} : changez l’un des deux, ou omettez-en un",
  "field.few": "{field} doit contenir au moins {limit} éléments",
  "field.many": "{field} doit contenir au plus {limit} éléments",
  "field.empty": "{field} ne doit pas être vide",
  "field.long": "{field} doit avoir au plus {limit} caractères",
  "field.visible": "{field} doit avoir une lettre, un chiffre ou un signe",
  "field.model": "{field} doit être une de ces valeurs : {values} ; c’est {given}",
  "field.schema": "{field} est inutilisable : {reason}",
  "field.redaction": "{field} contient {type}, qui n’est pas un type de données",
  "field.redaction.rules":
    "{field} contient {type} : il n’y a pas de règles pour cela. Nommez les types à retirer, ou ajoutez un modèle de langage",
  "field.cursor": "{field} vient d’une autre liste",
  "field.more": "D’autres problèmes ne sont pas énumérés",
  "vocabulary.pronunciations": "{word} aurait {count} prononciations ; {most} au plus sont possibles",
  "stretch.order": "La fin ({end}) doit venir après le début ({start})",
  "stretch.long": "Le passage doit durer au plus {most} s ; il dure {seconds} s",
  "note.order": "La fin ({end}) ne doit pas précéder le début ({start})",
  "note.no_words": "Le canal {channel} n’a pas de mots entre {start} et {end}",
  "correction.no_words":
    "Le paragraphe {index} n’a pas de mots entre {start} et {end} ; ses mots vont de {first} à {last}",
  "correction.speaker": "{field} doit être un des locuteurs {speakers} ; c’est {given}",
  "language_model.not_found": "Ce modèle de langage n’a pas été trouvé sur cette machine",
  "warning.truncated": "Le fichier est tronqué : il contient {held} s des {declared} s de son annoncés",
  "warning.damaged_packets": "Des paquets endommagés ont été ignorés",
  "warning.failed_reads": "Le fichier est endommagé à des endroits qui n’ont pas pu être lus",
  "warning.unreadable_end": "Le fichier est endommagé : ce qui suit {time} s n’a pas pu être lu",
  "warning.gaps":
    "Il manque {time} s de son dans le fichier, la première fois à {first} s ; cela compte comme du silence",
  "warning.skipped_part": "Une partie du fichier était illisible et a été ignorée, à {time} s",
  "warning.skipped_parts": "D’autres parties ont été ignorées",
  "warning.jumps": "Les horodatages avancent plus loin que l’enregistrement ne peut durer ; ces sauts ont été ignorés",
  "warning.steps_back": "Les horodatages reculent ; les temps suivants continuent ceux du son précédent",
  "warning.timestamps": "Les horodatages se contredisent ; ils ont été ignorés à partir de {time} s",
  "warning.unused_bytes": "{bytes} octets du fichier à partir de l’octet {from} n’ont pas servi : {reason}",
  "warning.unused_bytes.format": "son format ne continue pas là",
  "warning.unused_bytes.parts": "plus de {most} enregistrements",
  "warning.unused_bytes.page": "le fichier est coupé au milieu d’une page Ogg",
  "warning.unused_bytes.box": "ils ne sont dans aucune boîte MP4 contenant du son",
  "warning.unused_bytes.zeros": "ce sont des zéros, comme dans un téléchargement interrompu",
  "warning.unlisted": "{unused} des {held} octets de données n’ont pas servi : l’index du fichier ne les mentionne pas",
  "warning.edited_out": "La liste de montage du fichier exclut {left} s des {whole} s de son",
  "warning.fragments_back":
    "Les temps des fragments du fichier reculent ; les temps suivants continuent ceux du son précédent",
  "warning.stale_header":
    "L’en-tête du fichier annonce {declared} octets de son, mais {read} octets suivent ; tous ont été lus",
  "warning.misstated": "Les échantillons sont déclarés en {stated}, mais ils sont en {likely} ; ils ont été lus ainsi",
  "warning.misstated.section":
    "Les échantillons sont déclarés en {stated}, mais de {from} s à {end} s ils sont en {likely} ; ils ont été lus ainsi",
  "warning.misstated.doubtful":
    "Les échantillons sont déclarés en {stated}, mais ils ressemblent à {likely} ; ils ont été lus comme déclaré",
  "warning.exchanged_channels": "Les canaux du fichier sont peut-être intervertis là où ses échantillons sont décalés",
  "warning.no_samples":
    "Les échantillons sont déclarés en {stated}, mais les octets ressemblent à {likely} ; les mots sont sans doute faux",
  "warning.above_scale": "Les échantillons du fichier dépassent la pleine échelle ; ils ont été divisés par {factor}",
  "warning.clipped_scale": "Certains échantillons du fichier dépassent la pleine échelle ; ils ont été écrêtés",
  "warning.low_scale": "Les échantillons du fichier sont très faibles ; ils ont été multipliés par {factor}",
  "warning.not_numbers": "Certains échantillons du fichier ne sont pas des nombres ; ils comptent comme du silence",
  "warning.stale_tag":
    "L’étiquette ID3 du fichier indique {stated} octets, mais son audio commence à l’octet {begin} ; il a été lu en entier",
  "warning.truncated.bytes":
    "Le fichier est tronqué : son en-tête annonce {declared} octets de son, et il en contient {held}",
  "warning.doubled":
    "L’enregistrement contient deux fois le même son, la seconde {seconds} s plus tard et à peu près aussi fort ; des mots peuvent être doublés ou faux. Deux appareils ou lignes ont sans doute été mélangés ; n’en enregistrez qu’un",
  "warning.leaks_of_many":
    "L’enregistrement a {channels} canaux avec leur propre source. Le son qui passe de l’un à l’autre n’est retiré que pour {most} canaux au plus ; des paroles peuvent être transcrites deux fois",
  "warning.leaks":
    "Le son qui passe d’un canal à l’autre n’a pas pu être retiré ; des paroles peuvent être transcrites dans les deux",
  "warning.slow_speech":
    "La parole est beaucoup trop lente et grave, ses mots sont sans doute faux : la fréquence d’échantillonnage est sans doute deux ou trois fois plus haute qu’annoncé",
  "warning.fast_speech":
    "La parole est beaucoup trop rapide et aiguë, ses mots sont sans doute faux : la fréquence d’échantillonnage est sans doute deux ou trois fois plus basse qu’annoncé",
  "warning.wordless":
    "Aucun mot n’a été reconnu dans {seconds} s de voix ({places}) : des paroles manquent peut-être, ou un autre son a été pris pour une voix",
  "warning.holes":
    "L’enregistrement a {seconds} s de silence numérique au milieu de paroles ({places}) : le son y a été perdu, coupé ou mis en sourdine, et des mots peuvent manquer",
  "warning.wordless_track":
    "Aucun mot n’a été reconnu dans la piste audio {track} sur {count}, comptées à partir de 0 : pour en transcrire une autre, indiquez-la (audio_track)",
  "warning.foreign": "{seconds} s de parole ont été omises. {problem}",
  "warning.doubtful":
    "{seconds} s ne sont peut-être pas en anglais : les modèles anglais doutent des mots. Choisissez la langue et ajoutez un modèle qui la reconnaît : {command}. Si c’est de l’anglais, choisissez l’anglais",
  "warning.doubtful.some":
    "Une partie n’est peut-être pas en anglais : les modèles anglais doutent des mots. Choisissez la langue et ajoutez un modèle qui la reconnaît : {command}. Si c’est de l’anglais, choisissez l’anglais",
  "warning.voices_sealed": "Les locuteurs n’ont pas de nom : leurs voix ont été scellées avec une autre clé",
  "warning.vocabulary":
    "Des mots du vocabulaire du compte ont été omis ({count}), car l’enregistrement a lui-même un grand vocabulaire",
  "warning.vocabulary.live":
    "Des mots du vocabulaire du compte ont été omis ({count}), car la session a elle-même un grand vocabulaire",
  "warning.no_effect.unknown": "{field} ne fait pas partie de cette requête et a été ignoré",
  "warning.no_effect.similar":
    "{field} ne fait pas partie de cette requête et a été ignoré ; il s’agit peut-être de {similar}",
  "warning.no_effect.switch": "{field} n’a d’effet que si {switch} est activé",
  "warning.no_effect.beside": "{field} n’a pas d’effet avec {other}",
  "warning.no_effect": "{field} n’a pas d’effet : {reason}",
  "warning.redaction": "{types} sont trouvés par un modèle de langage, qui peut en manquer ; vérifiez le résultat",
  "warning.translation.context":
    "Le contexte n’a pas d’effet avec les modèles de traduction ; un modèle de langage en tient compte",
  "warning.translation.informal":
    "Le registre familier n’a pas d’effet avec les modèles de traduction ; un modèle de langage en tient compte",
  "warning.translation.rest": "Les paroles en {languages} n’ont pas été traduites : {reasons}",
  "live.turns":
    "La détection de fin de tour de parole n’a pas eu d’effet ; les paragraphes finissaient après le silence réglé : {reason}",
  "live.speakers.names": "Les locuteurs n’ont pas de nom : {reason}",
  "live.speakers.encoder":
    "Les locuteurs ont été distingués par la méthode moins précise de la reconnaissance : {reason}",
  "live.speakers.none": "Les paragraphes n’ont pas de locuteurs : {reason}",
  "live.speakers.whole":
    "Les locuteurs de toute la session n’ont pas pu être distingués ; ceux des paragraphes restent : {reason}",
  "live.speakers.later":
    "Les paragraphes suivants n’ont pas de locuteurs : le modèle a échoué ; ils sont ajoutés au résultat à la fin de la session",
  "live.speakers.model_failed": "le modèle de locuteurs a échoué",
  "live.speakers.models_unread": "les modèles n’ont pas pu être lus",
  "live.format":
    "Le son n’est sans doute pas au format de la session : il est lu comme {declared}, et ses octets ressemblent à {likely} ; {advice}",
  "live.end.idle": "aucune donnée n’est arrivée pendant trop longtemps ; la session est terminée",
  "live.end.deleted": "la session a été supprimée",
  "live.end.fault": "erreur interne",
  "live.end.token": "le jeton n’est pas valide",
  "live.end.revoked": "la clé qui a créé cette session a été révoquée",
  "live.end.expired": "la session n’a jamais servi et a expiré",
  "live.end.over_limit": "ce compte a trop de sessions en direct",
  "live.end.ended": "la session est terminée",
  "live.end.cause": "la session est terminée : {cause} ; le résultat contient {seconds} s de son",
  "live.end.cause.client": "une partie du son n’a pas été stockée",
  "live.end.cause.idle": "aucune donnée n’est arrivée pendant trop longtemps",
  "live.end.cause.away": "personne n’était connecté",
  "live.end.cause.length": "la durée maximale est atteinte",
  "live.end.cause.revoked": "la clé a été révoquée",
  "live.end.unknown": "Le service a terminé la session ({code})",
};
