// Messages of the service in German: src/contract/messages has their English forms. The conventions are those of tables/de.ts.
import type { MessageTexts } from "../../../../src/contract/messages/read-message.ts";

export const messages: MessageTexts = {
  "request.invalid": "Ungültige Angaben; validation_errors nennt sie.",
  "request.malformed": "Die Anfrage ist nicht lesbar: {reason}",
  "request.not_found": "Nicht gefunden: {what}",
  "request.not_found.job": "Diese Aufnahme gibt es nicht.",
  "request.not_found.note": "Diese Notiz gibt es nicht.",
  "request.not_found.key": "Diesen Schlüssel gibt es nicht.",
  "request.not_found.voice": "Diese Stimme gibt es nicht.",
  "request.not_found.word": "Dieses Wort steht nicht im Wörterverzeichnis.",
  "request.not_found.vocabulary_list": "Diese Wortliste gibt es nicht.",
  "request.not_found.audio": "Zu dieser Aufnahme ist kein Ton gespeichert.",
  "request.not_found.correction": "Es gibt keine Korrektur, die sich rückgängig machen lässt.",
  "request.other_page":
    "Die Anfrage kommt von einer Seite eines anderen Ursprungs. Ohne Schlüssel in einer Kopfzeile dürfen nur Seiten dieses Dienstes und der Adressen in PARLANCE_CORS_ORIGINS anfragen; die Anmeldung ist nur in der Konsole möglich.",
  "request.foreign_host":
    "Der Hostname {host} gehört nicht zu diesem Dienst. PARLANCE_PUBLIC_URL oder PARLANCE_ALLOWED_HOSTS muss den Namen nennen, unter dem der Dienst erreicht wird, oder die Anfrage braucht einen Schlüssel in einer Kopfzeile.",
  "request.too_large": "Die Anfrage ist größer als die erlaubten {megabytes} MB.",
  "request.too_large.unknown": "Die Anfrage ist größer als erlaubt.",
  "request.body_too_slow": "Die Daten kommen zu langsam an: nötig sind mindestens {bytes} Byte in {seconds} Sekunden.",
  "account.key_missing":
    "Es wurde kein Schlüssel gesendet. Er gehört in die Kopfzeile {header} oder authorization: Bearer KEY.",
  "account.key_unknown": "Dieser Schlüssel ist unbekannt oder widerrufen.",
  "account.too_many_guesses":
    "Von dieser Adresse oder aus diesem Netz kamen zu viele falsche Schlüssel; {seconds} Sekunden warten. Schlüssel, die vorher richtig waren, gelten weiter.",
  "account.not_operator": "Was zum ganzen Dienst gehört, dürfen nur Schlüssel des Standardkontos lesen oder ändern.",
  "limit.keys": "Dieses Konto hat die Höchstzahl von {most} Schlüsseln erreicht; zuerst einen widerrufen.",
  "limit.queued_jobs": "Es warten schon {limit} Aufnahmen dieses Kontos.",
  "limit.event_streams": "Dieser Prozess hat schon {limit} Ereignisströme dieses Kontos; zuerst einen schließen.",
  "limit.requests": "Dieses Konto darf {limit} Anfragen in der Sekunde senden.",
  "callbacks.header_locked":
    "Der Wert von webhook_auth_header_value lässt sich nicht öffnen; dieser Webhook kann nicht gesendet werden. Der Betreiber muss den PARLANCE_SECRETS_KEY setzen, der ihn versiegelt hat, oder ihn als PARLANCE_SECRETS_KEY_PREVIOUS angeben.",
  "callbacks.secrets_locked":
    "Das Signaturgeheimnis dieses Kontos lässt sich nicht öffnen; seine Callbacks warten. Der Betreiber muss den PARLANCE_SECRETS_KEY setzen, der es versiegelt hat; ist er verloren, ein neues Signaturgeheimnis erstellen.",
  "callback.failed": "Der Callback konnte nicht gesendet werden: {reason}",
  "storage.full":
    "Auf dem Datenträger ist kein Platz mehr (df -h, df -i). Aufnahmen löschen, PARLANCE_AUDIO_RETENTION_DAYS setzen oder Platz schaffen; der Dienst macht dann von selbst weiter.",
  "storage.full.free":
    "Auf dem Datenträger des Dienstes ist kein Platz mehr: {free} MB sind frei. Aufnahmen löschen, PARLANCE_AUDIO_RETENTION_DAYS setzen oder Platz schaffen; danach werden Anfragen wieder angenommen.",
  "storage.full.reserved":
    "Auf dem Datenträger des Dienstes ist kein Platz mehr: {free} MB sind frei, {reserved} MB bleiben zurückgehalten. Aufnahmen löschen, PARLANCE_AUDIO_RETENTION_DAYS setzen oder Platz schaffen; danach werden Anfragen wieder angenommen.",
  "storage.unavailable": "Der Speicher der Aufnahmen und Transkripte antwortet nicht; gleich noch einmal versuchen.",
  "storage.recording_damaged":
    "Die gespeicherte Aufnahme ist beschädigt: sie hat {found} von {expected} Byte. Aus einer Sicherung wiederherstellen oder erneut hochladen.",
  "system.exhausted":
    "Dem Rechner fehlen Dateideskriptoren, Speicher oder Prozesse für diesen Dienst; gleich noch einmal versuchen. Kommt es oft vor, die Grenzen erhöhen (ulimit -n, ulimit -u, Speicher des Containers).",
  "database.unavailable": "Die Datenbank antwortet nicht; gleich noch einmal versuchen.",
  "database.value": "Ein Wert der Anfrage lässt sich nicht speichern: {reason}",
  "process.died": "Der Prozess {process} wurde unerwartet beendet ({reason}).",
  "process.bystander": "Der Prozess {process} wurde beendet, während er eine andere Aufgabe bearbeitete.",
  "process.timeout": "Der Prozess {process} hat nicht innerhalb von {seconds} s geantwortet.",
  "process.timeout.start": "Der Prozess {process} konnte nicht gestartet werden: {reason}",
  "process.failed": "Der Prozess {process} ist fehlgeschlagen; das Protokoll nennt den Grund.",
  "recognition.queue_full": "Die Warteschlange der Erkennung ist voll.",
  "work.aborted": "Die Arbeit wurde abgebrochen.",
  internal: "Beim Dienst ist etwas schiefgegangen; das Protokoll nennt den Grund unter der Kennung dieser Anfrage.",
  "internal.hidden": "Dabei ist im Dienst ein Fehler aufgetreten; sein Protokoll nennt den Grund.",
  "service.not_ready": "Der Dienst kann keine Anfragen annehmen: {reason}",
  "file.in_use": "Eine Aufnahme, die noch bearbeitet wird, braucht diese Datei. Auf ihr Ende warten oder sie löschen.",
  "file.unknown": "Diese hochgeladene Datei gibt es nicht mehr; erneut hochladen.",
  "file.too_large": "Die Datei ist größer als die erlaubten {megabytes} MB.",
  "media.not_decodable": "Die Datei lässt sich nicht als Ton oder Video lesen: {reason}",
  "media.encrypted":
    "Der Ton der Datei ist verschlüsselt ({scheme}). Eine Aufnahme ohne Kopierschutz verwenden oder die Datei vorher entschlüsseln.",
  "media.empty": "Die Datei ist leer.",
  "media.no_audio_track": "Die Datei hat keine Tonspur.",
  "media.no_such_track": "Die Datei hat keine Tonspur {requested}. Vorhanden: {tracks}",
  "media.empty_range":
    "Der Teil der Aufnahme enthält keinen Ton: Er beginnt bei {start} s, und die Aufnahme endet bei {end} s.",
  "media.empty_range.part": "Der Teil der Aufnahme von {start} bis {end} s enthält keinen Ton.",
  "media.no_audio": "Die Tonspur der Datei enthält keinen Ton.",
  "media.too_long": "Der Ton ist länger als die erlaubten {minutes} Minuten.",
  "media.time_limit": "Das Lesen wurde nach {spent} s abgebrochen: bis dahin waren nur {decoded} s Ton gelesen.",
  "decode.queue_full": "Zu viele hochgeladene Dateien warten darauf, gelesen zu werden; gleich noch einmal versuchen.",
  "fetch.address_not_allowed": "Die Adresse ist nicht erlaubt: {reason}",
  "fetch.unauthorized":
    "Die Adresse verlangt eine Anmeldung (401). Benutzername und Passwort in der Adresse prüfen, eine signierte Adresse verwenden oder die Datei hochladen.",
  "fetch.forbidden":
    "Die Adresse darf nicht abgerufen werden (403). Die Datei ist privat oder die Adresse abgelaufen; neu signieren oder die Datei hochladen.",
  "fetch.not_found": "Unter der Adresse ist nichts (404). Die Adresse prüfen.",
  "fetch.gone": "Die Datei unter der Adresse wurde endgültig entfernt (410).",
  "fetch.rate_limited": "Der Server der Adresse lehnt zurzeit weitere Anfragen ab (429).",
  "fetch.rate_limited.pause":
    "Der Server der Adresse lehnt zurzeit weitere Anfragen ab (429) und verlangt eine Pause von {seconds} s.",
  "fetch.failed": "Die Adresse konnte nicht abgerufen werden: {reason}",
  "fetch.given_up": "{problem} (keine weiteren Versuche)",
  "fetch.given_up.pause": "{problem} (aufgegeben: die verlangte Pause von {seconds} s ist zu lang)",
  "fetch.queue_full": "Zu viele Adressen dieses Kontos warten auf den Abruf; gleich noch einmal versuchen.",
  "upload.wrong_offset":
    "Upload-Offset ist {given}, gespeichert sind aber {stored} Byte. Die Stelle mit HEAD erfragen und dort fortfahren.",
  "upload.taken_over": "Eine neuere Anfrage setzt diesen Upload fort oder beendet ihn.",
  "upload.beyond_length": "Es kamen mehr als die angekündigten {bytes} Byte; der Rest ist nicht gespeichert.",
  "upload.expired": "Dieser Upload ist abgelaufen: zu lange kamen keine Daten. Neu beginnen.",
  "upload.checksum_differs":
    "Die angekommenen Daten haben eine andere Prüfsumme ({algorithm}); sie sind nicht gespeichert. Erneut senden.",
  "limit.uploads":
    "{limit} Uploads dieses Kontos sind unvollständig. Einige abschließen oder löschen; Uploads ohne weitere Daten laufen ab.",
  "limit.upload_bytes":
    "Unvollständige Uploads dieses Kontos dürfen zusammen {megabytes} MB haben. Einige abschließen oder löschen; Uploads ohne weitere Daten laufen ab.",
  "limit.upload_parts":
    "Dieser Upload kam in {limit} Teilen, mehr sind nicht möglich. Mit größeren Teilen neu beginnen.",
  "upload.completing": "Alle Daten sind gespeichert, die Datei wird geprüft; gleich noch einmal fragen.",
  "job.not_finished":
    "Die Aufnahme ist noch nicht fertig ({status}); löschen lässt sich nur eine fertige oder fehlgeschlagene.",
  "job.no_transcript": "Das Transkript gibt es erst, wenn die Aufnahme fertig ist ({status}).",
  "job.no_transcript.expired": "Das Transkript ist nicht mehr da: es war älter als die Aufbewahrungsfrist.",
  "job.fills_disk":
    "Diese Aufnahme braucht beim Transkribieren mehr Platz, als auf dem Datenträger frei ist: 115 MB je Stunde und Kanal. Platz schaffen oder sie in Teilen senden.",
  "job.poisoned":
    "Diese Aufnahme hat im Schritt „{stage}“ dreimal ihren Prozess beendet und ist fehlgeschlagen. Zuletzt: {reason}. Vielleicht ist die Datei beschädigt.",
  "job.interrupted": "Die Aufnahme wurde wiederholt ohne Fortschritt unterbrochen und ist fehlgeschlagen.",
  "job.not_ended": "Der Dienst konnte das Ende dieser Aufnahme nicht speichern; sein Protokoll nennt den Grund.",
  "job.result_damaged":
    "Das gespeicherte Transkript ist beschädigt und lässt sich nicht neu erstellen. Die Aufnahme ist da: herunterladen und erneut hochladen.",
  "job.result_damaged.whole":
    "Das gespeicherte Transkript ist beschädigt und lässt sich nicht neu erstellen. Auch die Aufnahme fehlt oder ist beschädigt.",
  "job.result_remade":
    "Das gespeicherte Transkript war beschädigt; die Aufnahme wird neu transkribiert. Danach erneut versuchen.",
  "transcripts.queue_full": "Zu viele Transkripte warten darauf, geschrieben zu werden; gleich noch einmal versuchen.",
  "limit.corrections":
    "Dieses Transkript hat die Höchstzahl von {most} Korrekturen erreicht, rückgängig gemachte eingeschlossen, mit zusammen {characters} Zeichen.",
  "correction.outdated":
    "Das Transkript wurde inzwischen korrigiert: die Änderung galt für Fassung {expected}, aktuell ist Fassung {version}.",
  "limit.tags": "Eine Aufnahme hat höchstens {most} Tags; es wären {count}. Zuerst einige entfernen.",
  "limit.notes": "Dieses Transkript hat {most} Notizen, mehr sind nicht möglich; zuerst eine löschen.",
  "limit.shares": "Dieses Transkript hat {most} Links, mehr sind nicht möglich; zuerst einen widerrufen.",
  "share.unavailable":
    "Dieser Link öffnet kein Transkript: Er ist unvollständig, abgelaufen oder widerrufen, oder das Transkript wurde gelöscht. Einen neuen Link erfragen.",
  "note.outdated":
    "Die Notiz wurde inzwischen geändert: die Änderung galt für Fassung {expected}, aktuell ist Fassung {version}.",
  "limit.vocabulary":
    "Das Wörterverzeichnis hätte mehr als {most} Wörter oder mehr als {forms} Wörter und Aussprachen zusammen. Zuerst einige entfernen.",
  "limit.vocabulary_lists": "Dieses Konto hat {most} Wortlisten, mehr sind nicht möglich; zuerst eine löschen.",
  "vocabulary_list.name_taken":
    "Eine Wortliste mit dem Namen {name} gibt es schon; diese ändern oder einen anderen Namen wählen.",
  "vocabulary_list.outdated":
    "Die Wortliste wurde inzwischen geändert: die Änderung galt für Fassung {expected}, aktuell ist Fassung {version}.",
  "vocabulary_list.unknown":
    "Die gewählte Wortliste gibt es in diesem Konto nicht: {name}. Vielleicht wurde sie gelöscht oder umbenannt.",
  "stretches.no_audio": "Der Ton dieser Aufnahme ist nicht mehr da. Ohne ihn lässt sich keine Stelle erneut erkennen.",
  "stretches.redacted":
    "In diesem Transkript wurden personenbezogene Daten entfernt. Der Ton wird nicht erneut erkannt, weil die Antwort diese Daten enthalten könnte.",
  "stretches.busy":
    "Zu viele Stellen warten auf die erneute Erkennung (höchstens {account} eines Kontos, {all} insgesamt); gleich noch einmal versuchen.",
  "add_ons.running": "Für dieses Transkript wird gerade etwas hinzugefügt. Danach lässt sich mehr hinzufügen.",
  "add_ons.no_audio":
    "Der Ton dieser Aufnahme ist nicht mehr da. Ohne ihn lassen sich keine Sprecher finden; anderes lässt sich hinzufügen.",
  "add_ons.speakers_corrected":
    "Die Sprecher dieses Transkripts wurden von Hand korrigiert. Sie werden nur ersetzt, wenn das ausdrücklich gewählt ist; wird die Korrektur mit den neuen Sprechern rückgängig gemacht, sind die früheren wieder da.",
  "add_ons.outdated": "Das Transkript wurde inzwischen gelöscht oder neu erstellt. Bitte noch einmal anfordern.",
  "add_ons.failed": "Nicht erstellt: {names}. {reason}",
  "redaction.unavailable": "{reason}. Der Text mit den personenbezogenen Daten wird nicht ausgegeben.",
  "voices.off":
    "Die Bibliothek der Stimmen dieses Kontos ist ausgeschaltet. Stimmabdrücke sind biometrische Daten; sie muss ausdrücklich eingeschaltet werden (PUT /v2/voices/settings).",
  "voices.no_key":
    "Stimmen werden nur verschlüsselt gespeichert, und dieser Dienst hat keinen Schlüssel dafür. Der Betreiber muss PARLANCE_SECRETS_KEY setzen.",
  "voices.locked":
    "Die Stimmen dieses Kontos lassen sich nicht öffnen. Der Betreiber muss den PARLANCE_SECRETS_KEY setzen, der sie versiegelt hat; ist er verloren, die Stimmen löschen (PUT /v2/voices/settings).",
  "voices.stored":
    "Die Bibliothek hat {count} Stimmen, die beim Ausschalten gelöscht werden; das muss mit delete_voices bestätigt werden.",
  "voices.name_taken":
    "Eine Stimme mit dem Namen {name} gibt es schon; ihr eine Probe hinzufügen oder einen anderen Namen wählen.",
  "limit.voices": "Dieses Konto hat {most} Stimmen, mehr sind nicht möglich; zuerst eine löschen.",
  "limit.voice_samples": "Eine Stimme hat höchstens {most} Proben.",
  "voices.refused": "Die Aufnahme taugt nicht als Stimme einer Person: {reason}",
  "voices.no_model":
    "Stimmen brauchen das Sprechermodell {model}; es ist nicht installiert und konnte nicht heruntergeladen werden.",
  "voices.no_model.unset": "Stimmen brauchen ein Sprechermodell, und PARLANCE_SPEAKER_MODEL nennt keines.",
  "voices.audio_gone": "Diese Aufnahme wurde gelöscht; stattdessen eine Aufnahme der Person senden.",
  "limit.live_sessions": "Es laufen schon {limit} Live-Sitzungen.",
  "limit.live_sessions.account": "Es laufen schon {limit} Live-Sitzungen dieses Kontos.",
  "limit.live_connections":
    "Es werden schon {limit} Live-Verbindungen dieses Kontos geöffnet; gleich noch einmal versuchen.",
  "service.overloaded":
    "Für eine weitere Live-Sitzung reicht die Leistung nicht: zurzeit sind höchstens {most} möglich. Später noch einmal versuchen.",
  "live.log_lost": "Dieser Prozess führt die Live-Sitzung nicht mehr.",
  "live.unused": "Niemand hat sich mit der Sitzung verbunden, bevor ihr Token ablief.",
  "live.audio_unreadable": "Der Ton der Live-Sitzung ist nicht lesbar: {reason}",
  "live.source_refused": "Die Quelle ist nicht lesbar: {reason}",
  "live.source_failed": "Die Quelle konnte nicht gelesen werden: {reason}",
  "live.source_absent": "Die Quelle wurde nicht gefunden: {reason}",
  "live.source_decoder_lost":
    "Die Quelle konnte nicht gelesen werden: an ihrem Ton ist der Decoder abgestürzt oder hängen geblieben.",
  "limit.viewers":
    "{limit} Zuschauer dieser Sitzung sind mit diesem Prozess verbunden; erneut versuchen, wenn jemand gegangen ist.",
  "live.without_viewers":
    "Die Untertitel dieser Sitzung werden nicht für Zuschauer aufbewahrt; dafür muss sie mit captions: true angelegt werden.",
  "live.failed": "In dieser Sitzung ist im Dienst ein Fehler aufgetreten; sein Protokoll nennt den Grund.",
  "recognition.language_unavailable":
    "Kein installiertes Modell erkennt {languages}; erkannt werden {installed}. {remedy}",
  "recognition.language_unavailable.model":
    "Das Modell {model} kennt {languages} nicht, nur {known}. Kein Modell nennen oder eines, das die Sprache kennt ({command} models list).",
  "recognition.not_english":
    "Die Sprache ist nicht Englisch, und kein installiertes Modell erkennt andere. Ein Modell hinzufügen: {command}. Wird doch Englisch gesprochen, Englisch als Sprache wählen.",
  "recognition.not_english.fetch":
    "Die Sprache ist nicht Englisch, und kein installiertes Modell erkennt andere. Das Modell {model} konnte nicht heruntergeladen werden; das Protokoll nennt den Grund. {remedy}",
  "recognition.language_undetected":
    "Die Sprache lässt sich nicht feststellen: die installierten Modelle erkennen nur Englisch. Ein Modell hinzufügen, das die Sprache feststellt: {command}",
  "recognition.no_speech": "Die Sprache lässt sich nicht feststellen: am Anfang der Aufnahme wurde nicht gesprochen.",
  "models.missing": "Das Modell {model} ist nicht installiert. {remedy}",
  "models.on_its_way":
    "Das Modell {model}, das diese Sprache braucht, wird heruntergeladen ({progress}); danach noch einmal versuchen.",
  "models.unknown": "Ein Modell „{model}“ gibt es nicht. {hint}",
  "models.fetch_failed": "{address} konnte nicht heruntergeladen werden: {reason}. Was schon da ist, bleibt. {remedy}",
  "models.refused": "{address} antwortete mit {status}: nötig ist ein Token mit Leserecht (PARLANCE_MODELS_TOKEN).",
  "models.refused.missing": "{address} antwortete mit {status}: die Datei gibt es nicht. Stimmt der Name?",
  "models.wrong_hash": "{file} weicht von der Datei der Quelle ab (SHA-256) und wurde gelöscht. Noch einmal versuchen.",
  "models.no_space":
    "Das Modell braucht {needed} MB, und der Datenträger der Modelle hat {free} MB frei. Platz schaffen oder PARLANCE_MODELS_DIR auf einen anderen Datenträger setzen.",
  "models.damaged": "Das Modell {model} ist beschädigt: {problems}. Ausführen: {command}",
  "models.built_in": "Das Modell {model} gehört zum Programm und lässt sich nicht entfernen.",
  "language_model.configured":
    "Das Sprachmodell ist durch PARLANCE_LLM_URL festgelegt; für ein anderes diese Einstellung ändern.",
  "language_model.one_process":
    "Nur dieser Prozess würde das Sprachmodell verwenden, weil PARLANCE_ROLES den Dienst aufteilt. PARLANCE_LLM_URL und PARLANCE_LLM_MODEL für jeden Prozess setzen.",
  "language_model.memory":
    "Das Sprachmodell {model} braucht {needed} MB Speicher, frei sind {free} MB. PARLANCE_LANGUAGE_MODEL auf ein kleineres setzen ({command}) oder dem Dienst mehr Speicher geben.",
  "language_model.unavailable":
    "Sprachmodelle brauchen das Paket {package}, das hier fehlt oder nicht läuft. npm ci ohne --omit=optional ausführen oder PARLANCE_LLM_URL auf einen Server setzen.",
  "language_model.damaged": "Das Sprachmodell {model} lässt sich nicht laden: {reason}. Prüfen: {command}",
  "language_model.removed": "Das Sprachmodell wurde entfernt oder ist nicht lesbar. Erneut hinzufügen: {command}",
  "language_model.too_long":
    "Die Frage braucht mit der Antwort {needed} Token, das Sprachmodell hat Platz für {room}. Die Frage kürzen oder ein Modell mit mehr Platz verwenden.",
  "language_model.failed": "Das Sprachmodell ist beim Schreiben der Antwort gescheitert.",
  "questions.unavailable": "Nicht verfügbar: {reason}",
  "questions.failed": "Keine Antwort: {reason}",
  "questions.busy":
    "Zu viele Fragen warten auf eine Antwort (höchstens {account} eines Kontos, {all} insgesamt); später noch einmal versuchen.",
  "language_model.not_installed":
    "Für die Antwort wird das Sprachmodell {model} gebraucht, das nicht installiert ist. Sein Download umfasst {size} MB.",
  "language_model.not_installed.unsized":
    "Für die Antwort wird das Sprachmodell {model} gebraucht, das nicht installiert ist. Es muss heruntergeladen werden.",
  "language_model.on_its_way": "Das Sprachmodell {model} wird heruntergeladen ({progress}); danach noch einmal fragen.",
  "language_model.busy":
    "Zu viele Anfragen warten auf das Sprachmodell (höchstens {account} eines Kontos, {all} insgesamt); später noch einmal versuchen.",
  "media.damaged": "ihr Ton ist beschädigt oder unbekannt codiert",
  "media.damaged_packets": "{damaged} von {count} Paketen ihres Tons sind beschädigt oder verschlüsselt",
  "media.document": "sie ist {document}, keine Aufnahme",
  "media.unknown_format": "ihr Format ist unbekannt, oder sie ist beschädigt oder abgeschnitten",
  "media.unknown_format.encrypted":
    "ihr Format ist unbekannt; ihre Daten sehen verschlüsselt aus, wie bei einem geschützten HLS-Segment",
  "media.no_index":
    "ihr Index (die Box „moov“) fehlt: die Aufnahme wurde nicht abgeschlossen oder die Datei ist abgeschnitten",
  "media.decoder_ended": "der Decoder wurde von ihr zweimal beendet oder angehalten",
  "fetch.reason.unreachable": "der Server ist nicht erreichbar",
  "fetch.reason.slow": "der Server war zu langsam",
  "fetch.reason.cut": "der Server hat die Antwort abgebrochen",
  "fetch.reason.no_address": "den Namen des Servers gibt es nicht",
  "fetch.reason.answered": "der Server antwortete mit {status}",
  "fetch.reason.private":
    "der Server liegt in einem privaten Netz; der Betreiber kann private Adressen mit PARLANCE_ALLOW_PRIVATE_ADDRESSES=true erlauben",
  "voices.reason.no_person": "dieser Teil des Transkripts enthält keine Sprache einer einzelnen Person",
  "voices.reason.no_speech": "es wird nicht gesprochen; 10 s der Person allein aufnehmen",
  "voices.reason.noise": "sie enthält Musik oder Geräusche und kaum Sprache; 10 s der Person allein aufnehmen",
  "voices.reason.two_voices": "sie enthält mehr als eine Stimme ({own} s und {other} s); eine Person allein aufnehmen",
  "voices.reason.short": "sie enthält {seconds} s Sprache einer Person; nötig sind mindestens {least} s, besser 10 s",
  "voices.reason.unclear":
    "sie klingt nicht nach einer einzelnen klaren Stimme; die Person allein aufnehmen, ohne Musik und Geräusche",
  "models.hint.known": "Bekannte Namen: {names}",
  "models.hint.similar": "Ähnlich: {names}. {rest}",
  "models.hint.list":
    "{command} models list zeigt, welche sich mit ihrem Namen hinzufügen lassen; andere: hf:OWNER/NAME, hf:OWNER/NAME:FILE.gguf, ein Ordner oder eine GGUF-Datei",
  "models.remedy.add": "Hinzufügen mit: {command}",
  "models.remedy.language": "Ein passendes Modell hinzufügen: {command}",
  "models.remedy.not_fetched": "Es konnte nicht heruntergeladen werden; das Protokoll nennt den Grund. {remedy}",
  "models.remedy.hub":
    "Hinter einem Proxy HTTPS_PROXY setzen; für einen Spiegel PARLANCE_MODELS_URL; ohne Netz das Modell hierher kopieren und ausführen: {command}",
  "models.optional.missing": "das Modell {model} ist nicht installiert; der Betreiber kann es hinzufügen: {command}",
  "models.optional.not_fetched":
    "das Modell {model} ist nicht installiert und konnte nicht heruntergeladen werden ({reason}); der Betreiber kann es hinzufügen: {command}",
  "models.optional.none": "{variable} ist leer; der Betreiber kann dort ein Modell eintragen",
  "models.optional.other": "{variable} nennt {model}; das ist kein passendes Modell",
  "models.optional.failed": "das Modell {model} ist ausgefallen; das Protokoll des Dienstes nennt den Grund",
  "models.optional.unread": "die installierten Modelle konnten nicht gelesen werden",
  "service.reason.stopping": "er wird gleich beendet",
  "service.reason.no_recogniser": "es läuft kein Prozess für die Erkennung",
  "service.reason.database": "die Datenbank antwortet nicht",
  "addon.needs_model":
    "{name} braucht ein Sprachmodell, und keines ist installiert. Eines hinzufügen: {command}; oder PARLANCE_LLM_URL (und PARLANCE_LLM_MODEL) auf einen OpenAI-kompatiblen Server setzen",
  "addon.needs_model.off":
    "{name} braucht ein Sprachmodell, und PARLANCE_LANGUAGE_MODEL ist none. Auf {model} setzen oder PARLANCE_LLM_URL (und PARLANCE_LLM_MODEL) auf einen OpenAI-kompatiblen Server",
  "addon.needs_model.missing":
    "{name} braucht ein Sprachmodell, und {model} (PARLANCE_LANGUAGE_MODEL) ist nicht installiert. Hinzufügen: {command}; oder PARLANCE_LLM_URL (und PARLANCE_LLM_MODEL) auf einen OpenAI-kompatiblen Server setzen",
  "addon.language": "{name} unterstützt hier nur {languages}, und gesprochen wird {spoken}",
  "addon.language.model":
    "{name} unterstützt hier nur {languages}, und gesprochen wird {spoken}; andere Sprachen unterstützt ein Sprachmodell: PARLANCE_LLM_URL setzen oder eines hinzufügen ({command})",
  "addon.late": "{name} wurde nicht innerhalb von {seconds} s fertig",
  "addon.late.process": "{name} wurde nicht fertig; das übrige Transkript ist vollständig",
  "addon.late.all": "Die Zusatzfunktionen wurden nicht rechtzeitig fertig; das Transkript ist vollständig",
  "addon.slow": "{name} ist für diese Sitzung zu langsam",
  "addon.too_long": "Das Transkript ist zu lang für das Sprachmodell",
  "addon.budget": "Dafür wären mehr als die {tokens} Token nötig, die PARLANCE_LLM_MAX_TOKENS erlaubt",
  "addon.no_text": "Das Sprachmodell antwortete ohne Text",
  "addon.wrong_form": "Das Sprachmodell antwortete nicht in der verlangten Form",
  "addon.unusable": "Die Antwort des Sprachmodells war nicht verwendbar",
  "addon.model_stopped": "Das Sprachmodell reagierte nicht mehr und wurde beendet",
  "addon.model_ended": "Der Prozess des Sprachmodells endete beim Schreiben der Antwort; das Protokoll nennt den Grund",
  "addon.prompt":
    "Die Anweisung hat {tokens} Token, und das Sprachmodell hat mit Transkript und Antwort Platz für {room}. Die Anweisung kürzen oder ein Modell mit mehr Platz verwenden.",
  "addon.server": "Fehler bei {server}: {reason}",
  "addon.no_chapter": "Das Sprachmodell hat kein Kapitel genannt",
  "diarization.failed": "Die Sprecher ließen sich nicht unterscheiden; das übrige Transkript ist vollständig",
  "translation.left_out": "Das Sprachmodell hat einen Teil der Übersetzung ausgelassen",
  "translation.late": "Die Übersetzung wurde nicht rechtzeitig fertig ({models})",
  "translation.failed":
    "Der Übersetzungsprozess ist fehlgeschlagen. Sein Modell prüfen: {command} (verwendet: {models})",
  "translation.no_model":
    "Für {pair} ist kein Übersetzungsmodell installiert. Hinzufügen: {command}; oder PARLANCE_LLM_URL oder PARLANCE_TRANSLATE_URL auf einen Server setzen",
  "translation.not_published":
    "Für {pair} gibt es kein Übersetzungsmodell; PARLANCE_LLM_URL oder PARLANCE_TRANSLATE_URL auf einen Server setzen",
  "questions.needs_model":
    "Eine Frage zu einem Transkript braucht ein Sprachmodell, und keines ist installiert. Eines hinzufügen: {command}; oder PARLANCE_LLM_URL (und PARLANCE_LLM_MODEL) auf einen OpenAI-kompatiblen Server setzen",
  "questions.needs_model.off":
    "Eine Frage zu einem Transkript braucht ein Sprachmodell, und PARLANCE_LANGUAGE_MODEL ist none. Auf {model} setzen oder PARLANCE_LLM_URL (und PARLANCE_LLM_MODEL) auf einen OpenAI-kompatiblen Server",
  "questions.needs_model.missing":
    "Eine Frage zu einem Transkript braucht ein Sprachmodell, und {model} (PARLANCE_LANGUAGE_MODEL) ist nicht installiert. Hinzufügen: {command}; oder PARLANCE_LLM_URL (und PARLANCE_LLM_MODEL) auf einen OpenAI-kompatiblen Server setzen",
  "questions.process_ended": "Der Prozess, der die Antwort schreibt, ist beendet worden; noch einmal fragen",
  "questions.late": "Die Antwort dauerte länger als {seconds} s",
  "questions.no_words": "Das Transkript hat keine Wörter; dazu gibt es keine Antwort",
  "field.web_address": "{field} muss eine Webadresse mit http oder https sein",
  "field.web_address.credentials": "{field} muss eine Webadresse ohne Benutzernamen und Passwort sein",
  "field.web_address.encoding":
    "{field} hat einen Benutzernamen oder ein Passwort mit einem Zeichen, das in Prozentkodierung stehen muss: / ist %2F, ? ist %3F, # ist %23, @ ist %40 und \\ ist %5C",
  "field.web_address.private":
    "{field} muss eine Adresse in einem öffentlichen Netz sein; der Betreiber kann private mit PARLANCE_ALLOW_PRIVATE_ADDRESSES=true erlauben",
  "field.number": "{field} muss eine Zahl im erlaubten Bereich sein",
  "field.integer": "{field} muss eine ganze Zahl sein",
  "field.one_of": "{field} muss einer dieser Werte sein: {values}",
  "field.one_of.given": "{field} muss einer dieser Werte sein: {values}; {given}",
  "field.only": "{field} darf nur diese Werte enthalten: {values}",
  "field.only.given": "{field} darf nur diese Werte enthalten: {values}; {given}",
  "field.required": "{field} fehlt",
  "field.required.when": "{field} ist nötig, wenn {switch} eingeschaltet ist",
  "field.not_part": "{field} gehört nicht zu dieser Anfrage",
  "field.minimum": "{field} darf nicht kleiner als {limit} sein",
  "field.maximum": "{field} darf nicht größer als {limit} sein",
  "field.order": "{field} darf nicht größer als {other} sein",
  "field.speakers": "{field} darf nicht größer als {other} sein: eines von beiden ändern oder weglassen",
  "field.few": "{field} muss mindestens {limit} Einträge enthalten",
  "field.many": "{field} darf höchstens {limit} Einträge enthalten",
  "field.empty": "{field} darf nicht leer sein",
  "field.long": "{field} darf höchstens {limit} Zeichen haben",
  "field.visible": "{field} muss einen Buchstaben, eine Ziffer oder ein anderes sichtbares Zeichen enthalten",
  "field.model": "{field} muss einer dieser Werte sein: {values}; angegeben ist {given}",
  "field.schema": "{field} ist nicht verwendbar: {reason}",
  "field.redaction": "{field} enthält {type}; diese Art von Daten gibt es nicht",
  "field.redaction.rules":
    "{field} enthält {type}: dafür gibt es keine Regeln. Die Arten einzeln nennen oder ein Sprachmodell hinzufügen",
  "field.cursor": "{field} gehört zu einer anderen Liste",
  "field.more": "Weitere Fehler sind nicht aufgeführt",
  "vocabulary.pronunciations": "{word} hätte {count} Aussprachen; möglich sind {most}",
  "stretch.order": "Das Ende ({end}) muss nach dem Anfang ({start}) liegen",
  "stretch.long": "Die Stelle darf höchstens {most} s lang sein; sie hat {seconds} s",
  "note.order": "Das Ende ({end}) darf nicht vor dem Anfang ({start}) liegen",
  "note.no_words": "Kanal {channel} hat zwischen {start} und {end} keine Wörter",
  "correction.no_words":
    "Absatz {index} hat zwischen {start} und {end} keine Wörter; seine Wörter reichen von {first} bis {last}",
  "correction.speaker": "{field} muss einer der Sprecher {speakers} sein; angegeben ist {given}",
  "language_model.not_found": "Dieses Sprachmodell wurde auf diesem Rechner nicht gefunden",
  "warning.truncated": "Die Datei ist abgeschnitten: sie enthält {held} s von angegebenen {declared} s Ton",
  "warning.damaged_packets": "Beschädigte Pakete wurden übersprungen",
  "warning.failed_reads": "Die Datei ist an Stellen beschädigt, die nicht gelesen werden konnten",
  "warning.unreadable_end": "Die Datei ist beschädigt: was nach {time} s folgt, konnte nicht gelesen werden",
  "warning.gaps": "In der Datei fehlen {time} s Ton, zuerst bei {first} s; das zählt als Stille",
  "warning.skipped_part": "Ein Teil der Datei war nicht lesbar und wurde übersprungen, bei {time} s",
  "warning.skipped_parts": "Weitere Teile wurden übersprungen",
  "warning.jumps":
    "Die Zeitstempel springen weiter vor, als die Aufnahme dauern kann; die Sprünge wurden nicht beachtet",
  "warning.steps_back": "Die Zeitstempel springen zurück; die Zeiten danach zählen vom Ton davor weiter",
  "warning.timestamps": "Die Zeitstempel widersprechen sich; ab {time} s wurden sie nicht beachtet",
  "warning.unused_bytes": "{bytes} Byte der Datei ab Byte {from} wurden nicht verwendet: {reason}",
  "warning.unused_bytes.format": "das Format geht dort nicht weiter",
  "warning.unused_bytes.parts": "mehr als {most} Aufnahmen",
  "warning.unused_bytes.page": "die Datei ist mitten in einer Ogg-Seite abgeschnitten",
  "warning.unused_bytes.box": "sie liegen in keiner MP4-Box mit Ton",
  "warning.unused_bytes.zeros": "sie sind Nullen, etwa nach einem abgebrochenen Download",
  "warning.unlisted":
    "{unused} von {held} Byte Mediendaten wurden nicht verwendet: der Index der Datei führt sie nicht auf",
  "warning.edited_out": "Die Schnittliste der Datei lässt {left} s von {whole} s Ton weg",
  "warning.fragments_back": "Die Zeiten der Fragmente springen zurück; die Zeiten danach zählen vom Ton davor weiter",
  "warning.stale_header":
    "Der Kopf der Datei nennt {declared} Byte Ton, es folgen aber {read} Byte; alle wurden gelesen",
  "warning.misstated": "Die Samples sind als {stated} angegeben, sind aber {likely}; sie wurden so gelesen",
  "warning.misstated.section":
    "Die Samples sind als {stated} angegeben, von {from} s bis {end} s sind sie aber {likely}; sie wurden so gelesen",
  "warning.misstated.doubtful":
    "Die Samples sind als {stated} angegeben, sehen aber aus wie {likely}; sie wurden wie angegeben gelesen",
  "warning.exchanged_channels": "Die Kanäle der Datei sind vielleicht vertauscht, wo ein Byte fehlt oder zu viel ist",
  "warning.no_samples":
    "Die Samples sind als {stated} angegeben, die Daten sehen aber aus wie {likely}; die Wörter sind wahrscheinlich falsch",
  "warning.above_scale": "Die Samples der Datei liegen über Vollaussteuerung; sie wurden durch {factor} geteilt",
  "warning.clipped_scale": "Einige Samples der Datei liegen über Vollaussteuerung; sie wurden abgeschnitten",
  "warning.low_scale": "Die Samples der Datei sind sehr leise; sie wurden mit {factor} multipliziert",
  "warning.not_numbers": "Einige Samples der Datei sind keine Zahlen; sie zählen als Stille",
  "warning.stale_tag":
    "Das ID3-Tag der Datei nennt {stated} Byte, aber ihr Ton beginnt bei Byte {begin}; er wurde vollständig gelesen",
  "warning.truncated.bytes":
    "Die Datei ist abgeschnitten: ihr Kopf nennt {declared} Byte Ton, sie enthält aber nur {held} Byte",
  "warning.doubled":
    "Die Aufnahme enthält denselben Klang zweimal, das zweite Mal {seconds} s später und etwa gleich laut; Wörter können doppelt oder falsch sein. Vermutlich wurden zwei Geräte oder Leitungen gemischt; nur eines aufnehmen",
  "warning.leaks_of_many":
    "Die Aufnahme hat {channels} Kanäle mit eigener Quelle. Übersprechen wird bei höchstens {most} Kanälen entfernt; Gesagtes kann doppelt dastehen",
  "warning.leaks":
    "Übersprechen zwischen den Kanälen ließ sich nicht entfernen; Gesagtes kann in beiden Kanälen stehen",
  "warning.slow_speech":
    "Es wird viel zu langsam und tief gesprochen, die Wörter sind wahrscheinlich falsch: die Abtastrate ist vermutlich zwei- oder dreimal so hoch wie angegeben",
  "warning.fast_speech":
    "Es wird viel zu schnell und hoch gesprochen, die Wörter sind wahrscheinlich falsch: die Abtastrate ist vermutlich nur halb oder ein Drittel so hoch wie angegeben",
  "warning.wordless":
    "In {seconds} s mit Stimme wurden keine Wörter erkannt ({places}): vielleicht fehlt Gesagtes, oder ein anderer Klang wurde für eine Stimme gehalten",
  "warning.holes":
    "Die Aufnahme hat {seconds} s digitale Stille mitten im Gesprochenen ({places}): dort ging Ton verloren, war stumm geschaltet oder wurde geschnitten; Wörter können fehlen",
  "warning.wordless_track":
    "In Tonspur {track} von {count} (ab 0 gezählt) wurden keine Wörter erkannt: für eine andere diese angeben (audio_track)",
  "warning.foreign": "{seconds} s Sprache wurden ausgelassen. {problem}",
  "warning.doubtful":
    "{seconds} s sind vielleicht nicht Englisch: die englischen Modelle sind bei den Wörtern unsicher. Die Sprache wählen und ein Modell hinzufügen, das sie erkennt: {command}. Ist es Englisch, Englisch wählen",
  "warning.doubtful.some":
    "Ein Teil ist vielleicht nicht Englisch: die englischen Modelle sind bei den Wörtern unsicher. Die Sprache wählen und ein Modell hinzufügen, das sie erkennt: {command}. Ist es Englisch, Englisch wählen",
  "warning.voices_sealed":
    "Die Sprecher dieser Aufnahme haben keine Namen: ihre Stimmen wurden mit einem anderen Schlüssel versiegelt",
  "warning.vocabulary":
    "Wörter aus dem Verzeichnis des Kontos wurden ausgelassen ({count}), weil die Aufnahme eine große eigene Wortliste hat",
  "warning.vocabulary.live":
    "Wörter aus dem Verzeichnis des Kontos wurden ausgelassen ({count}), weil die Sitzung eine große eigene Wortliste hat",
  "warning.no_effect.unknown": "{field} gehört nicht zu dieser Anfrage und wurde nicht beachtet",
  "warning.no_effect.similar":
    "{field} gehört nicht zu dieser Anfrage und wurde nicht beachtet; gemeint ist vielleicht {similar}",
  "warning.no_effect.switch": "{field} wirkt nur, wenn {switch} eingeschaltet ist",
  "warning.no_effect.beside": "{field} hat neben {other} keine Wirkung",
  "warning.no_effect": "{field} hat keine Wirkung: {reason}",
  "warning.redaction": "{types} findet ein Sprachmodell, das einige übersehen kann; das Ergebnis prüfen",
  "warning.translation.context": "Der Kontext wirkt nicht bei Übersetzungsmodellen, nur bei einem Sprachmodell",
  "warning.translation.informal":
    "Die informelle Anrede wirkt nicht bei Übersetzungsmodellen, nur bei einem Sprachmodell",
  "warning.translation.rest": "Sprache in {languages} wurde nicht übersetzt: {reasons}",
  "live.turns":
    "Das Ende von Redebeiträgen wurde nicht erkannt; Absätze endeten nach der eingestellten Stille: {reason}",
  "live.speakers.names": "Die Sprecher haben keine Namen: {reason}",
  "live.speakers.encoder": "Die Sprecher wurden mit dem ungenaueren Verfahren der Erkennung unterschieden: {reason}",
  "live.speakers.none": "Die Absätze haben keine Sprecher: {reason}",
  "live.speakers.whole":
    "Die Sprecher der ganzen Sitzung konnten nicht bestimmt werden; es bleiben die der Absätze: {reason}",
  "live.speakers.later":
    "Weitere Absätze haben keine Sprecher: das Sprechermodell ist ausgefallen; das Ergebnis erhält sie am Ende der Sitzung",
  "live.speakers.model_failed": "das Sprechermodell ist ausgefallen",
  "live.speakers.models_unread": "die Modelle konnten nicht gelesen werden",
  "live.format":
    "Der Ton hat wahrscheinlich nicht das Format der Sitzung: er wird als {declared} gelesen, die Daten sehen aus wie {likely}; {advice}",
  "live.end.idle": "zu lange kamen keine Daten; die Sitzung ist beendet",
  "live.end.deleted": "die Sitzung wurde gelöscht",
  "live.end.fault": "interner Fehler",
  "live.end.token": "das Token ist ungültig",
  "live.end.revoked": "der Schlüssel, mit dem diese Sitzung angelegt wurde, wurde widerrufen",
  "live.end.expired": "die Sitzung wurde nie benutzt und ist abgelaufen",
  "live.end.over_limit": "dieses Konto hat zu viele Live-Sitzungen",
  "live.end.ended": "die Sitzung ist beendet",
  "live.end.cause": "die Sitzung ist beendet: {cause}; das Ergebnis enthält {seconds} s Ton",
  "live.end.cause.client": "nicht der ganze Ton wurde gespeichert",
  "live.end.cause.idle": "zu lange kamen keine Daten",
  "live.end.cause.away": "niemand war verbunden",
  "live.end.cause.length": "die Höchstdauer ist erreicht",
  "live.end.cause.revoked": "der Schlüssel wurde widerrufen",
  "live.end.unknown": "Der Dienst hat die Sitzung beendet ({code})",
};
