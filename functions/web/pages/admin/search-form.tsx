/** Looks for users, apps and the like. */
export const SearchForm = ({ path, label, value }: { path: string; label: string; value: string }) => (
  <search>
    <form class="admin-search" action={path}>
      <label class="sr-only" for="admin-search">
        {label}
      </label>
      <input id="admin-search" type="search" name="q" value={value} placeholder={label} />
      <button class="button quiet" type="submit">
        Search
      </button>
    </form>
  </search>
);
