/** Examples in the form of real ones. They open nothing. */
export const CLIENT_ID = "4tVfQ0m2ZxB8sYkLrP1cWn7HdGuJ3eaX";
export const CLIENT_SECRET = "cs_7dQmV2xKc9LrT4bYwZ8nPfJ1sHgUaE3oRiC6kXe5MtA";
export const CODE = "ac_Q8xPZc1eN4vRj7LmXs3DtKw9BhYuG2fAoVi6TqEk5Cr";
export const REFRESH_TOKEN = "rt_7Hc2kLQ0pWz5XvTn9RbMfJd4YsGaEu8iCo1KqVt6LxP";
export const ACCESS_TOKEN =
  "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ1OjMzODkxNDgxMTkwNDc3NyJ9.c2ln";
export const SECRET_TOKEN = "s-8Kq2bTzY1wN4vRj7LmXc3D";
