import { createClient } from "soundpost";
import { fileStore } from "soundpost/file-store";

/** Prints who is signed in, by a session that other processes share. */
const [apiUrl = "", clientId = "", clientSecret = "", file = ""] = process.argv.slice(2);
const api = createClient({ apiUrl, clientId, clientSecret, store: fileStore(file) });
const { id } = await api.get("/me");
const token = await api.session.tokens.current();
console.log(JSON.stringify({ id, token }));
