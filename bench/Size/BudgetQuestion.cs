using ScaleOut.Analysis.Limits;
using ScaleOut.Costs;
using ScaleOut.Sizing;

namespace ScaleOut.Bench.Size;

/// <summary>
/// A question of a budget meeting to <c>size</c>: about queries, regions, hierarchical keys, hours, a peak or a load. Its truth is
/// arithmetic on charges and prices that are written here, and on random arrivals by whole seconds.
/// </summary>
/// <param name="Kind">Such as <c>queries</c>.</param>
/// <param name="WhyWrong">Asks, and says what is wrong with the result; null if it is right.</param>
internal sealed record BudgetQuestion(string Kind, string Text, Func<string?> WhyWrong)
{
    private const double UnitHour = 0.00008;
    private const double MultipleWrites = 0.00016;
    private const double GigabyteMonth = 0.25;
    private const double MillionServerless = 0.25;
    private const double InstanceSecond = 2 * 0.000026;
    private const double Month = 730;

    /// <summary>RU of a page and its look-up; of a document that the index finds and a page returns, and its KB.</summary>
    private const double Page = 2.25;
    private const double First = 0.55;
    private const double Document = 0.005 + 0.013;
    private const double Kilobyte = 0.009 + 0.027;
    private const double SystemBytes = 205;

    /// <summary>Steps of RU/s and randomness of the simulation; of queries, also that of the sample of documents.</summary>
    private const double Tolerance = 0.06;
    private const double QueryTolerance = 0.1;
    private const double CpuMs = 0.2;

    private static readonly PriceList Prices = new()
    {
        Currency = "USD", RequestUnitPerSecondHour = UnitHour, MultipleWritesUnitHour = MultipleWrites, GigabyteSecond = 0.000026,
        StorageGigabyteMonth = GigabyteMonth, MillionServerlessRequestUnits = MillionServerless, ReservedYearDiscount = 0.2,
    };

    public static IReadOnlyList<BudgetQuestion> All { get; } =
    [
        new("queries", "400/s by key, 20 documents of 50,000 customers", () => ByKey(rate: 400, customers: 50_000, stored: 1_000_000)),
        new("queries", "50/s by key, 3,000 documents of 300 customers: three pages", ThreePages),
        new("queries", "100/s of all partitions on 250 GB", OfAllPartitions),
        new("queries", "20% inserts and 80% queries at 300/s", Mixed),
        new("queries", "100/s by key, what they cost after 20 days of inserts", GrownQueries),
        new("regions", "1,000/s written in one region, read in two more", () => Regions(new AccountPlan { ReadRegions = 2 }, UnitHour)),
        new("regions", "1,000/s written in two regions", () => Regions(new AccountPlan { WriteRegions = 2 }, MultipleWrites)),
        new("regions", "1,000/s, reserved for a year in the free tier",
            () => Regions(new AccountPlan { Reserved = Reservation.OneYear, IsFreeTier = true }, UnitHour * 0.8, freeUnits: 1_000)),
        new("keys", "a tenant with 40% of 1,000/s and 400 GB, by tenant and user", SplitTenant),
        new("keys", "a tenant with 60% of 3,000/s, by tenant and user, at first", TenantOnOnePartition),
        new("hours", "a rate for each hour, 100 to 2,400/s, autoscale", Hours),
        new("peak", "2,000/s for 3 hours, 100/s else", Peak),
        new("within", "20 million documents within 5 hours", () => Within(20_000_000, TimeSpan.FromHours(5))),
        new("within", "1.5 million documents within 20 minutes", () => Within(1_500_000, TimeSpan.FromMinutes(20))),
        new("serverless", "3/s is cheaper without provisioned RU/s, and 2,000/s cannot be had so", Serverless),
    ];

    private static string? ByKey(double rate, int customers, long stored)
    {
        var (spec, charge) = (QuerySpecOf(customers, stored), Page + First + (Found(customers, stored) * OfDocument(400)));
        return WhyNotJustEnough(Ask(spec, rate, new() { Existing = stored }), rate, charge, QueryTolerance);
    }

    private static string? ThreePages()
    {
        // A simulated read takes 1.3 ms of network and 2 ms of service at the median.
        var (customers, stored) = (300, 900_000L);
        var result = Ask(QuerySpecOf(customers, stored), 50, new() { Existing = stored });
        var charge = (4 * (Page + First)) + (Found(customers, stored) * OfDocument(400));
        var least = result.Fleet.AttemptMs.P50 * 2.5;
        return result.Fleet.OperationMs.P50 < least ? $"p50 {result.Fleet.OperationMs.P50} ms for three pages or four"
            : WhyNotJustEnough(result, 50, charge, QueryTolerance);
    }

    private static string? OfAllPartitions()
    {
        const int Partitions = 5;
        // 250 GB of 400 bytes.
        var (customers, stored) = (100_000_000, 624_000_000L);
        var charge = (Partitions * (Page + First)) + (Found(customers, stored) * OfDocument(400));
        var result = Ask(QuerySpecOf(customers, stored, byKey: false), 100, new() { Existing = stored });
        return result.Settings.Partitions != Partitions ? $"{result.Settings.Partitions} partitions"
            // Each partition has a page of every query, and not every fifth query.
            : WhyNotJustEnough(result.Settings with { Partitions = 1 }, 100, charge, QueryTolerance);
    }

    private static string? Mixed()
    {
        var (customers, stored) = (50_000, 1_000_000L);
        var spec = QuerySpecOf(customers, stored);
        spec = spec with { Workload = spec.Workload with { Kind = WorkloadKind.Mix, Mix = new() { Insert = 20, Query = 80 } } };
        // Rows of 1 KB on four replicas, and 3 + 2 x 2 entries.
        var insert = 4 * (26 + 7) / 21.0;
        var charge = (0.2 * insert) + (0.8 * (Page + First + (Found(customers, stored) * OfDocument(400))));
        return WhyNotJustEnough(Ask(spec, 300, new() { Existing = stored }), 300, charge, QueryTolerance);
    }

    private static string? GrownQueries()
    {
        var (customers, stored, days) = (50_000, 1_000_000L, 20.0);
        var spec = QuerySpecOf(customers, stored);
        spec = spec with { Workload = spec.Workload with { Kind = WorkloadKind.Mix, Mix = new() { Insert = 50, Query = 50 } } };
        var result = Ask(spec, 100, new() { Existing = stored, Retention = TimeSpan.FromDays(days) });
        var grown = stored + (50 * days * 86_400);
        var charge = (0.5 * 4 * (26 + 7) / 21.0) + (0.5 * (Page + First + (Found(customers, grown) * OfDocument(400))));
        return result.Growth?.Fleet is not { } fleet ? "no grown fleet"
            : WhyNotJustEnough(fleet.Settings, 100, charge, QueryTolerance);
    }

    private static string? Regions(AccountPlan plan, double unitHour, double freeUnits = 0)
    {
        const double Days = 3;
        var spec = KeyedSpec("{{key}}", 500);
        var result = Ask(spec, 1_000, new() { Plan = plan, Retention = TimeSpan.FromDays(Days) });
        var units = (plan.Regions * result.Settings.Throughput) - freeUnits;
        var gigabytes = plan.Regions * 1_000 * Days * 86_400 * Basis(spec).BytesPerDocument / 1e9;
        return WhyNotNear("throughput", result.Cost.FixedThroughput, units * unitHour * Month, 0.001)
            ?? WhyNotNear("storage", result.GrownCost!.Storage!.Value, (gigabytes - (freeUnits > 0 ? 25 : 0)) * GigabyteMonth, 0.001)
            ?? WhyNotJustEnough(result, 1_000, ChargeOf(500), Tolerance);
    }

    private static string? SplitTenant()
    {
        // 400 GB are at least eight partitions, four of them the large tenant's: it may use what four have.
        var spec = TenantSpec(percent: 40);
        var stored = (long)(400e9 / Basis(spec).BytesPerDocument);
        var result = Ask(spec, 1_000, new() { Existing = stored, Retention = TimeSpan.FromHours(1) });
        var used = 1_000 * Basis(spec).ChargePerDocument;
        return result.Reached != true ? "not reached"
            : result.Settings.Throughput > 2 * used ? $"{result.Settings.Throughput} RU/s for {used:N0} that are used" : null;
    }

    private static string? TenantOnOnePartition()
    {
        var spec = TenantSpec(percent: 60);
        var result = Ask(spec, 3_000, new() { Retention = TimeSpan.FromHours(1) });
        // 60% of the RU/s are more than a partition has, until the tenant has 50 GB.
        var used = 0.6 * 3_000 * Basis(spec).ChargePerDocument;
        return used <= 10_000 ? $"a wrong question: {used:N0} RU/s"
            : result.Reached == true ? "reached"
            : !result.Unmet!.Contains("\"big\"", StringComparison.Ordinal) ? result.Unmet : null;
    }

    private static string? Hours()
    {
        double[] rates = [.. Enumerable.Range(1, 24).Select(hour => 100.0 * hour)];
        var spec = KeyedSpec("{{key}}", 500);
        var result = Ask(spec, 2_400, new() { Day = DailyLoad.OfHours(rates), Retention = TimeSpan.FromDays(1) });
        var units = rates.Average(rate => AutoscaleOf(rate, most: 2_400, partitions: 2));
        var day = rates.Sum() * 3_600 * Basis(spec).BytesPerDocument / 1e9;
        return WhyNotNear("autoscale", result.Cost.AutoscaleWithPeak!.Value, 1.5 * units * UnitHour * Month, Tolerance)
            ?? WhyNotNear("a day's gigabytes", result.Growth!.GigabytesPerDay, day, 0.001)
            ?? WhyNotNear(
                "cheapest", result.Cost.CheapestThroughput,
                Math.Min(1.5 * units, RandomArrivals.LeastUnits(2_400, ChargeOf(500), 2, maxThrottled: 0.01)) * UnitHour * Month, Tolerance)
            ?? WhyNotJustEnough(result, 2_400, ChargeOf(500), Tolerance);
    }

    private static string? Peak()
    {
        var result = Ask(
            KeyedSpec("{{key}}", 500), 2_000, new() { Day = DailyLoad.OfPeak(3, 0.05), Retention = TimeSpan.FromHours(30) });
        double UnitsAt(double rate) => AutoscaleOf(rate, most: 2_000, partitions: 2);
        var autoscale = 1.5 * ((3 * UnitsAt(2_000)) + (21 * UnitsAt(100))) / 24;
        // The busiest 30 hours are a day and six more hours, three of them at the rate.
        var seconds = 3_600 * ((6 * 2_000.0) + (24 * 100));
        var gigabytes = seconds * Basis(KeyedSpec("{{key}}", 500)).BytesPerDocument / 1e9;
        return WhyNotNear("throughput", result.Cost.CheapestThroughput, autoscale * UnitHour * Month, Tolerance)
            ?? WhyNotNear("stored", result.Growth!.Gigabytes, gigabytes, 0.001)
            ?? WhyNotJustEnough(result, 2_000, ChargeOf(500), Tolerance);
    }

    /// <summary>
    /// RU/s that autoscale is billed for in an hour of inserts at a rate: those of the busiest second on each partition, one in 3,600,
    /// which is 3.45 standard deviations above the mean.
    /// </summary>
    private static double AutoscaleOf(double rate, double most, int partitions)
    {
        var charge = ChargeOf(500);
        var highest = Math.Ceiling(RandomArrivals.LeastUnits(most, charge, partitions, maxThrottled: 0.01) / 1_000) * 1_000;
        var each = rate / partitions;
        return Math.Clamp(partitions * (each + (3.45 * Math.Sqrt(each))) * charge, highest / 10, highest);
    }

    /// <summary>The cheapest of all whole hours, each with the RU/s and workers that it takes.</summary>
    private static string? Within(long documents, TimeSpan most)
    {
        var spec = KeyedSpec("{{key}}", 500) with { Documents = documents };
        var result = Ask(spec, documents / most.TotalSeconds, new() { Within = most });
        var charge = ChargeOf(500);
        var cheapest = Enumerable.Range(1, Math.Max(1, (int)most.TotalHours)).Select(hours =>
        {
            var seconds = Math.Min(hours * 3_600, most.TotalSeconds);
            var rate = documents / seconds;
            var partitions = Math.Ceiling(rate * charge / 10_000);
            var units = Math.Ceiling(RandomArrivals.LeastUnits(rate, charge, (int)partitions, maxThrottled: 0.01) / 100) * 100;
            var workers = Math.Ceiling(rate * CpuMs / 700);
            return (Math.Max(400, units) * UnitHour * Math.Ceiling(seconds / 3_600)) + (workers * InstanceSecond * seconds);
        }).Min();
        return result.Reached != true ? "not reached" : WhyNotNear("cost", result.LoadCost!.Total, cheapest, Tolerance);
    }

    private static string? Serverless()
    {
        var spec = KeyedSpec("{{key}}", 500);
        ThroughputOffer OfferAt(double rate) =>
            Ask(spec, rate, new() { Retention = TimeSpan.FromDays(1) }).Cost.Offers.First(one => one.Name == "serverless");
        var (small, large) = (OfferAt(3), OfferAt(2_000));
        var expected = 3 * ChargeOf(500) * Month * 3_600 / 1e6 * MillionServerless;
        return WhyNotNear("serverless", small.Amount, expected, 0.001)
            ?? (small.WhyNot is not null || small.Amount > 400 * UnitHour * Month ? "not offered at 3/s" : null)
            ?? (large.WhyNot is null ? "offered at 2,000/s, above 5,000 RU/s of one partition" : null);
    }

    private sealed record Asked
    {
        public long? Existing { get; init; }

        public TimeSpan? Retention { get; init; } = TimeSpan.FromHours(1);

        public DailyLoad? Day { get; init; }

        public AccountPlan Plan { get; init; } = new();

        public TimeSpan? Within { get; init; }
    }

    private static FleetBasis Basis(RunSpec spec) => FleetBasis.From(spec, CpuMs, overheadMs: null);

    private static SizeResult Ask(RunSpec spec, double rate, Asked asked) => FleetSearch.Find(
        Basis(spec),
        new SizeQuestion(rate, LimitCondition.Parse("throttledShare<0.01", FleetForecast.ConditionNames([])).Value!, Prices)
        {
            Existing = asked.Existing, Retention = asked.Retention, Day = asked.Day, Plan = asked.Plan, Within = asked.Within,
        });

    /// <summary>Documents of a customer: the one that is asked for, and its share of the others.</summary>
    private static double Found(double customers, double stored) => 1 + ((stored - 1) / customers);

    private static double OfDocument(double bytes) => Document + (Kilobyte * (bytes + SystemBytes) / 1_024);

    /// <summary>An insert with 3 + 2 x 2 index entries: rows up to 1 KB on four replicas.</summary>
    private static double ChargeOf(double bytes) => bytes + SystemBytes <= 1_024
        ? Math.Round(4 * (26 + 7) / 21.0, 2)
        : throw new ArgumentOutOfRangeException(nameof(bytes));

    private static string? WhyNotNear(string what, double actual, double expected, double tolerance) =>
        Math.Abs(actual - expected) <= Math.Max(0.02, tolerance * expected) ? null : $"{what} {actual:N2}, not {expected:N2}";

    private static string? WhyNotJustEnough(SizeResult result, double rate, double charge, double tolerance) =>
        result.Reached != true ? $"not reached: {result.Unmet}" : WhyNotJustEnough(result.Settings, rate, charge, tolerance);

    private static string? WhyNotJustEnough(FleetSettings found, double rate, double charge, double tolerance)
    {
        var least = RandomArrivals.LeastUnits(rate, charge, found.Partitions, maxThrottled: 0.01);
        return found.Throughput >= (1 - tolerance) * least && found.Throughput <= Math.Max(400, ((1 + tolerance) * least) + 100)
            ? null
            : $"{found.Throughput:N0} RU/s, not about {least:N0}";
    }

    private static RunSpec KeyedSpec(string key, int bytes) => new()
    {
        Id = "budget",
        Document = Template($$$"""{"id": "{{id}}", "k": "{{{key}}}", "text": "{{random:text:{{{bytes - 110}}}}}"}"""),
        Container = new() { PartitionKeyPath = "/k" },
    };

    /// <summary>One tenant with so many percent of the documents, and others with one percent each.</summary>
    private static RunSpec TenantSpec(int percent) => new()
    {
        Id = "budget",
        Document = Template(
            $$$"""{"id": "{{id}}", "tenantId": "{{{Tenants(percent)}}}", "userId": "{{key}}", "text": "{{random:text:300}}"}"""),
        Container = new() { PartitionKeyPaths = ["/tenantId", "/userId"] },
    };

    private static string Tenants(int percent) => "{{pick:big*" + percent
        + string.Concat(Enumerable.Range(percent, 100 - percent).Select(small => $",t-{small}")) + "}}";

    /// <summary>Documents of about 400 bytes of customers, and the query of all documents of one of them.</summary>
    private static RunSpec QuerySpecOf(int customers, long stored, bool byKey = true) => new()
    {
        Id = "budget",
        Documents = stored,
        Document = Template(
            $$$"""{"id": "{{id}}", "customerId": "c-{{random:int:1:{{{customers}}}}}", "text": "{{random:text:316}}"}"""),
        Container = new() { PartitionKeyPath = byKey ? "/customerId" : "/id" },
        Workload = new()
        {
            Kind = WorkloadKind.Query,
            Query = byKey
                ? new() { Text = "SELECT * FROM c", PartitionKey = "{{field:customerId}}" }
                : new()
                {
                    Text = "SELECT * FROM c WHERE c.customerId = @customer",
                    Parameters = [new() { Name = "@customer", Value = "\"{{field:customerId}}\"" }],
                },
        },
    };

    private static DocumentSpec Template(string text) => new() { Kind = DocumentKind.Template, Template = text };
}
