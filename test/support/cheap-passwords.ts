/** Binding of the tests' Workers. A password of the usual cost takes the only thread 140 ms, and those of all tests take turns. */
export const CHEAP_PASSWORDS = { CHEAP_PASSWORDS: "on" } as const;
