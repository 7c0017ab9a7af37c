import { pathWith } from "./paging.tsx";

interface TabsProps {
  label: string;
  /** The page's own path. */
  path: string;
  /** The query parameter, and its value by tab. The first tab needs none. */
  parameter: string;
  tabs: Record<string, string>;
  current: string;
}

/** Links between the lists of one page. */
export const Tabs = ({ label, path, parameter, tabs, current }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    <ul>
      {Object.entries(tabs).map(([name, title], at) => (
        <li>
          <a
            href={pathWith(path, { [parameter]: at === 0 ? undefined : name })}
            aria-current={name === current ? "page" : undefined}
          >
            {title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
