import { ledger } from "./api.ts";
import { forgetPeople } from "./people.ts";

// Runs before each test file of the service project, because its files share their modules.
forgetPeople();
ledger.clear();
