/** Random steps of two windows, the website and a failing service: in the integration tests, and in the soak. */
export const soakSteps = { tests: 75, soak: 1000 } as const;
