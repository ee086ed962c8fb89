import type { ModelEntry } from '@proj/client';

import { linksOut, type RecordLink } from '../state/filter/references.ts';
import { ViewLink } from '../state/view/view-link.tsx';
import { cellText } from '../values/cell-text.ts';
import type { ExactRecord } from '../values/exact-record.ts';
import { indentJson } from '../values/json-text.ts';

interface RecordFieldsProps {
  readonly models: readonly ModelEntry[];
  readonly model: ModelEntry;
  readonly record: ExactRecord;
}

/** Every attribute with its value in full, and the records that they refer to. */
export function RecordFields({ models, model, record }: RecordFieldsProps) {
  const links = linksOut(models, model, record);
  return (
    <dl>
      {model.attributes.map(({ name, type, description }) => (
        <div key={name} class="field">
          <dt title={description ?? undefined}>
            {name} <span class="type">{type}</span>
          </dt>
          <dd>
            <FieldValue json={record[name] ?? 'null'} type={type} />
            {links
              .filter(({ attributes }) => attributes[0] === name)
              .map((link) => (
                <OutLink key={link.model + link.attributes.join()} link={link} />
              ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FieldValue({ json, type }: { readonly json: string; readonly type: string }) {
  const { kind, shown, full, whole } = cellText(json, type);
  if (kind === 'folded') return <pre>{indentJson(full)}</pre>;
  if (kind === 'null' || kind === 'empty') return <i class="none">{shown}</i>;
  const isMoment = type === 'timestamp_tz' && shown !== whole;
  return <span title={isMoment ? `${whole}, exactly` : undefined}>{isMoment ? shown : full}</span>;
}

function OutLink({ link: { model, attributes, view } }: { readonly link: RecordLink }) {
  return (
    <ViewLink
      to={view}
      class="reference"
      title={`The record of ${model} that ${attributes.join(', ')} refers to`}
    >
      {model} →
    </ViewLink>
  );
}
