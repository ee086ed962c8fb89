import type { Choices } from './group-choices.ts';

interface TermSelectProps<Choice> {
  readonly label: string;
  readonly chosen: Choice;
  readonly offered: readonly Choices<Choice>[];
  /** What a choice is called; no two have one name. */
  readonly textOf: (choice: Choice) => string;
  readonly onChoose: (choice: Choice) => void;
}

/** A choice of many, those that belong together below one title. */
export function TermSelect<Choice>(props: TermSelectProps<Choice>) {
  const { label, chosen, offered, textOf, onChoose } = props;
  const all = offered.flatMap(({ choices }) => choices);
  const value = textOf(chosen);
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        const choice = all.find((one) => textOf(one) === currentTarget.value);
        if (choice !== undefined) onChoose(choice);
      }}
    >
      {!all.some((one) => textOf(one) === value) && <option value={value}>{value}</option>}
      {offered.map(({ title, choices }) => {
        const options = choices.map(textOf).map((text) => (
          <option key={text} value={text}>
            {text}
          </option>
        ));
        if (title === '') return options;
        return (
          <optgroup key={title} label={title}>
            {options}
          </optgroup>
        );
      })}
    </select>
  );
}
