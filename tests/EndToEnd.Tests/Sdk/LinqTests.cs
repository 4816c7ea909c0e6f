using Microsoft.Azure.Cosmos;
using Microsoft.Azure.Cosmos.Linq;
using Newtonsoft.Json;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>LINQ of the unmodified SDK over four partitions, against the same LINQ over a list.</summary>
public sealed class LinqTests(LinqTests.Filled filled) : AccountTests<LinqTests.Filled>(filled)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Where_EveryKindOfCondition_FindsWhatTheListHas(ConnectionMode mode)
    {
        string[] names = ["name-3", "name-40", "none"];
        await AssertSameAsync(mode, all => all.Where(one => one.Number > 50 && (one.Group == 1 || !(one.Price <= 10))));
        await AssertSameAsync(mode, all => all.Where(one => names.Contains(one.Name)));
        await AssertSameAsync(mode, all => all.Where(one => one.Name.StartsWith("name-1") || one.Name.EndsWith("-9")));
        await AssertSameAsync(mode, all => all.Where(one => one.Name.Contains("ME-2", StringComparison.OrdinalIgnoreCase)));
#pragma warning disable CA1862 // It becomes UPPER() of the query.
        await AssertSameAsync(mode, all => all.Where(one => one.Name.ToUpper() == "NAME-7" || one.Name.Substring(5, 1) == "8"));
#pragma warning restore CA1862
        await AssertSameAsync(mode, all => all.Where(one => one.Tags.Contains("t2") && one.Tags.Count() > 1));
        await AssertSameAsync(mode, all => all.Where(one => one.Nested.Score % 5 == 0 && Math.Abs(one.Nested.Score - 40) < 20));
        await AssertSameAsync(mode, all => all.Where(one => (one.Number % 2 == 0 ? one.Price : one.Nested.Score) > 60));
        await AssertSameAsync(mode, all => all.Where(one => one.Note != null));
        await AssertSameAsync(mode, all => all.Where(one => one.Key == "k4" && one.Number < 60));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_ValuesAndObjects_ComeFromEveryPartition(ConnectionMode mode)
    {
        await AssertSameAsync(mode, all => all.Select(one => one.Name));
        await AssertSameAsync(mode, all => all.Where(one => one.Group == 2).Select(one => new { one.Id, Sum = one.Price + one.Number }));
        await AssertSameAsync(mode, all => all.Select(one => one.Nested.Score * 2));
        await AssertSameAsync(mode, all => all.Select(one => one.Tags[0]));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task OrderBy_OneOrMoreProperties_MergesPartitions(ConnectionMode mode)
    {
        await AssertSameAsync(mode, all => all.OrderBy(one => one.Number), isOrdered: true);
        await AssertSameAsync(mode, all => all.OrderByDescending(one => one.Name).Select(one => one.Name), isOrdered: true);
        await AssertSameAsync(
            mode, all => all.Where(one => one.Group > 0).OrderBy(one => one.Group).ThenByDescending(one => one.Number), isOrdered: true);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task SkipAndTake_OfAnOrder_GiveThatPart(ConnectionMode mode)
    {
        await AssertSameAsync(mode, all => all.OrderBy(one => one.Number).Skip(30).Take(25), isOrdered: true);
        await AssertSameAsync(mode, all => all.OrderByDescending(one => one.Number).Take(7), isOrdered: true);
        await AssertSameAsync(mode, all => all.OrderBy(one => one.Number).Skip(110).Take(50).Select(one => one.Id), isOrdered: true);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Distinct_OfValues_GivesEachOnce(ConnectionMode mode)
    {
        await AssertSameAsync(mode, all => all.Select(one => one.Group).Distinct());
        await AssertSameAsync(mode, all => all.Select(one => new { one.Group, Even = one.Number % 2 }).Distinct());
        await AssertSameAsync(mode, all => all.Select(one => one.Group).Distinct().OrderBy(group => group), isOrdered: true);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Aggregates_OfEveryPartition_AddUp(ConnectionMode mode)
    {
        var all = Fixture.Query(mode);
        var list = Fixture.Documents;

        Assert.Equal(list.Count, (await all.CountAsync(Token)).Resource);
        Assert.Equal(list.Count(one => one.Group == 1), (await all.Where(one => one.Group == 1).CountAsync(Token)).Resource);
        Assert.Equal(list.Sum(one => one.Price), (await all.Select(one => one.Price).SumAsync(Token)).Resource);
        Assert.Equal(list.Average(one => one.Price), (await all.Select(one => one.Price).AverageAsync(Token)).Resource);
        Assert.Equal(list.Max(one => one.Nested.Score), (await all.Select(one => one.Nested.Score).MaxAsync(Token)).Resource);
        Assert.Equal(
            list.Where(one => one.Group == 2).Min(one => one.Number),
            (await all.Where(one => one.Group == 2).Select(one => one.Number).MinAsync(Token)).Resource);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task GroupBy_KeyAndAggregates_GivesEachGroup(ConnectionMode mode)
    {
        await AssertSameAsync(mode, all => all.GroupBy(one => one.Group, (group, items) => items.Count()));
        await AssertSameAsync(mode, all => all.GroupBy(one => one.Group, (group, items) => items.Max(one => one.Number)));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task SelectMany_OfArrays_GivesEveryElement(ConnectionMode mode)
    {
        await AssertSameAsync(mode, all => all.SelectMany(one => one.Tags));
        await AssertSameAsync(mode, all => all.Where(one => one.Group == 1).SelectMany(one => one.Tags).Where(tag => tag != "t1"));
        await AssertSameAsync(mode, all => all.SelectMany(one => one.Tags.Select(tag => new { one.Id, tag })));
        await AssertSameAsync(mode, all => all.SelectMany(one => one.Tags).Distinct());
        await AssertSameAsync(mode, all => all.SelectMany(one => one.Tags).Skip(0).Take(1_000));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Subqueries_OfArrays_AreThoseOfTheList(ConnectionMode mode)
    {
        await AssertSameAsync(mode, all => all.Where(one => one.Tags.Any(tag => tag == "t2" || tag == one.Name)));
        await AssertSameAsync(
            mode, all => all.Where(one => one.Tags.Count(tag => tag != "t1") > 1).OrderBy(one => one.Number), isOrdered: true);
        await AssertSameAsync(mode, all => all.Select(one => one.Tags.Where(tag => tag != "t1").ToArray()));
        await AssertSameAsync(mode, all => all.Select(one => new { one.Id, Others = one.Tags.Count(tag => tag != "t2") }));
        await AssertSameAsync(
            mode, all => all.OrderByDescending(one => one.Number).Select(one => one.Tags.Any(tag => tag == "t3")), isOrdered: true);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Count_OfDistinctValues_CountsEachOnce(ConnectionMode mode)
    {
        Assert.Equal(4, (await Fixture.Query(mode).Select(one => one.Group).Distinct().CountAsync(Token)).Resource);
        Assert.Equal(3, (await Fixture.Query(mode).SelectMany(one => one.Tags).Distinct().CountAsync(Token)).Resource);
        Assert.Equal(
            Fixture.Documents.Sum(one => one.Tags.Length),
            (await Fixture.Query(mode).SelectMany(one => one.Tags).CountAsync(Token)).Resource);
    }

    /// <summary>As on the service (azure-cosmos-db-emulator-docker issue 300).</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task OrderBy_OfAnElement_IsBadRequest(ConnectionMode mode)
    {
        var e = await FailsAsync(
            HttpStatusCode.BadRequest, () => ReadAsync(Fixture.Query(mode).SelectMany(one => one.Tags).OrderBy(tag => tag)));
        Assert.Contains("Order-by over correlated collections is not supported.", e.Message, StringComparison.Ordinal);
    }

    private static async Task<List<T>> ReadAsync<T>(IQueryable<T> query)
    {
        using var iterator = query.ToFeedIterator();
        return await iterator.ReadAllAsync();
    }

    private async Task AssertSameAsync<T>(ConnectionMode mode, Func<IQueryable<Document>, IQueryable<T>> query, bool isOrdered = false)
    {
        string[] expected = [.. query(Fixture.Documents.AsQueryable()).Select(one => JsonConvert.SerializeObject(one))];
        string[] actual = [.. (await ReadAsync(query(Fixture.Query(mode)))).Select(one => JsonConvert.SerializeObject(one))];
        Assert.NotEmpty(expected);
        if (!isOrdered)
        {
            Array.Sort(expected, StringComparer.Ordinal);
            Array.Sort(actual, StringComparer.Ordinal);
        }

        Assert.Equal(expected, actual);
    }

    public sealed record Inner([property: JsonProperty("score")] int Score);

    public sealed record Document(
        [property: JsonProperty("id")] string Id,
        [property: JsonProperty("pk")] string Key,
        [property: JsonProperty("number")] int Number,
        [property: JsonProperty("group")] int Group,
        [property: JsonProperty("price")] double Price,
        [property: JsonProperty("name")] string Name,
        [property: JsonProperty("tags")] string[] Tags,
        [property: JsonProperty("nested")] Inner Nested,
        [property: JsonProperty("note", NullValueHandling = NullValueHandling.Ignore)] string? Note);

    /// <summary>120 documents over four partitions.</summary>
    public sealed class Filled : FilledAccount
    {
        public IReadOnlyList<Document> Documents { get; } =
        [
            .. Enumerable.Range(0, 120).Select(i => new Document(
                $"{i}", $"k{i % 17}", Number: i, Group: i % 4, Price: (i % 9) * 12.25, $"name-{i}",
                Tags: [.. Enumerable.Range(1, (i % 3) + 1).Select(tag => $"t{tag}")], new Inner((i * 7) % 100),
                Note: i % 5 == 0 ? "noted" : null)),
        ];

        public IQueryable<Document> Query(ConnectionMode mode) =>
            Container(mode).GetItemLinqQueryable<Document>(requestOptions: new QueryRequestOptions { MaxItemCount = 11 });

        public override async ValueTask InitializeAsync() =>
            await FillAsync(Documents.Select(document => (document, document.Key)), "/group, /number DESC");
    }
}
