using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

/// <summary>The fields of a <see cref="DocumentSpec"/>.</summary>
internal static class DocumentSpecFields
{
    private static readonly DocumentSpec Defaults = new();

    public static DocumentSpec Read(ISpecObject document) => new()
    {
        Kind = document.Field("kind", EnumNames<DocumentKind>.Help).Choice<DocumentKind>() ?? Defaults.Kind,
        Csv = document.Field("csv", "Of flights: a CSV file with a header; generated rows when left out.")
            .Text(TextForm.Filled(DocumentSpec.LongestPath)),
        Columns = document.Field("columns", "Of flights: columns that become properties, besides the key column; all when left out.")
            .List(item => item.Text(TextForm.ColumnName)!, 1, DocumentSpec.MostColumns, unique: true),
        KeyColumn = document.Field("keyColumn",
            $"Of flights: the column that is the partition key and groups batches; {FlightColumns.DefaultKey} when left out.")
            .Text(TextForm.ColumnName),
        OnBrokenRow = document.Field("onBrokenRow", "Beside csv: whether broken rows are skipped or stop the run; stop when left out.")
            .Choice<BrokenRowRule>(),
        Template = document.Field("template",
            "Of template: a JSON object; in its texts {{number}}, {{guid}}, {{id}}, {{key}}, {{random:int:1:100}}, {{random:number:0:1}}, "
                + "{{random:text:12}}, {{random:bool}} and {{pick:a,b,c}} are replaced.")
            .RawObject(DocumentSpec.LongestTemplate),
    };
}
