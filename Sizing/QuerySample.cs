using ScaleOut.Workers.Operations;

namespace ScaleOut.Sizing;

/// <summary>Finds what the query of a spec takes, on a sample of the spec's documents.</summary>
internal static class QuerySample
{
    private const int MaxDocuments = 20_000;
    private const int MaxBytes = 50_000_000;

    /// <summary>Null if the spec has no query.</summary>
    /// <exception cref="InputException">The query is rejected, or cannot be sized.</exception>
    public static QueryEffort? From(RunSpec spec, int bytesPerDocument)
    {
        if (spec.Workload is not { HasQueries: true, Query: { } query })
            return null;
        try
        {
            var source = DocumentSources.For(spec, "sized");
            var count = Math.Clamp(MaxBytes / Math.Max(1, bytesPerDocument), 2, MaxDocuments);
            var values = new QueryValues(query, source, spec.Id ?? "sized");
            var (documents, keys, buffer) = (new byte[count][], new string[count], new byte[source.MaxBytes]);
            var levels = BodyOf(0).Key?.Count;
            for (var number = 0; number < count; number++)
            {
                var key = source.KeyOf(number);
                documents[number] = buffer[..source.Write(number, key, buffer)];
                keys[number] = TextOf(source.KeyValuesOf(number, key).Take(levels ?? 0));
            }

            // In a random order, because neighbors may be alike.
            var order = Enumerable.Range(0, count).ToArray();
            new Random(spec.Seed).Shuffle(order);
            return QueryEffort.From(
                spec, documents, order.Select(Query), levels is null ? null : keys);

            SampledQuery Query(int number)
            {
                var (body, key) = BodyOf(number);
                return new SampledQuery(number, body, key is null ? null : TextOf(key));
            }

            (byte[] Body, IReadOnlyList<string>? Key) BodyOf(int number)
            {
                var key = source.KeyOf(number);
                return values.BodyFrom(number, source.IdOf(number), key, source.KeyValuesOf(number, key));
            }
        }
        catch (FormatException e)
        {
            throw new InputException("workload.query.text", e.Message);
        }
        catch (DocumentException e)
        {
            throw new InputException([.. e.Errors]);
        }

        static string TextOf(IEnumerable<string> levels) => string.Join('\n', levels);
    }

    /// <summary>What a query costs, with where that is known from; null if there are no queries.</summary>
    public static BasisFigure? FigureOf(string name, FleetBasis basis, double stored, int partitions) => basis.Queries is { } query
        ? new(
            name, Describe(query, stored, partitions), FigureOrigin.Assumed,
            $"the simulated account's charges, and {Numbers.Brief(query.Pairs)} pairs of a query and a document")
        : null;

    /// <summary>The query's charge as a formula, such as <c>2.8 RU a page of 4 partitions + 3 documents x 0.05 RU</c>.</summary>
    private static string Describe(QueryEffort query, double stored, int partitions)
    {
        var pages = query.At(stored, partitions);
        var of = (pages.PagesEach, pages.Partitions) switch
        {
            (1, 1) => "for its page",
            (var each, 1) => $"x {Numbers.Count(each)} pages",
            (1, var several) => $"for a page of each of {several} partitions",
            var (each, several) => $"x {Numbers.Count(each)} pages of each of {several} partitions",
        };
        return $"{Numbers.Brief(query.UnitsOfPage)} RU {of} + {Numbers.Brief(pages.Loaded)} documents read x "
            + $"{Numbers.Brief(query.UnitsOfLoaded)} RU + {Numbers.Brief(pages.Results)} results x {Numbers.Brief(query.UnitsOfResult)} RU "
            + $"= {Numbers.Brief(pages.Units)} RU, with {Numbers.Brief(stored)} documents stored";
    }
}
