namespace ScaleOut.DevBox.Commands;

/// <summary>The options of <c>size</c> that say when a rate lasts, and how the account is bought.</summary>
internal sealed class PurchaseOptions
{
    /// <summary>The option that may name a file of this machine.</summary>
    public const string ProfileOption = "--profile";

    private readonly TextOption _profile = new(
        ProfileOption, "rates|file",
        "Documents per second in each of the 24 hours of a day, with commas in between, or a file with one a line, instead of --rate. The "
            + "highest must hold.");
    private readonly TextOption _peak = new(
        "--peak", "time", "With --rate: how long the rate lasts each day, such as 8h (default: always). Prices autoscale for it.");
    private readonly TextOption _idleRate = new(
        "--idle-rate", "documents/s", "Documents per second outside the peak, or after the load of --within (default 0).");
    private readonly TextOption _readRegions = new(
        "--read-regions", "n", "Regions of the account beside those that are written (default 0).");
    private readonly TextOption _writeRegions = new("--write-regions", "n", "Regions of the account that are written (default 1).");
    private readonly TextOption _reserved = new("--reserved", "none|1y|3y", "For how long throughput is reserved (default none).");
    private readonly TextOption _freeTier = new(
        "--free-tier", "no|yes", "Whether 1,000 RU/s and 25 GB are free, as for one account of a subscription (default no).");

    public IReadOnlyList<Option> All => [_profile, _peak, _idleRate, _readRegions, _writeRegions, _reserved, _freeTier];

    public bool HasProfile(CommandInput input) => input.Value(_profile) is not null;

    /// <summary>The errors of how options are combined.</summary>
    public IEnumerable<InputError> Errors(CommandInput input, bool byRate, bool byLoad, bool byWorkers)
    {
        bool Has(Option<string?> option) => input.Value(option) is not null;
        if (Has(_profile) && byRate)
            yield return new(ProfileOption, "not beside --rate: the highest of its rates is the rate. Give one of them.");
        if (Has(_profile) && Has(_peak))
            yield return new(ProfileOption, "not beside --peak; it has the rate of each hour.");
        if (byWorkers)
        {
            foreach (var option in All.OfType<TextOption>().Where(Has))
            {
                var also = option == _peak || option == _profile ? "" : " or --within";
                yield return new(option.Name, $"only with --rate{also}.");
            }
        }

        if (byLoad && Has(_profile))
            yield return new(ProfileOption, "not with --within, whose load has one rate.");
        if (byLoad && Has(_peak))
            yield return new("--peak", "not with --within; --idle-rate is the rate after the load.");
        if ((byRate || Has(_profile)) && Has(_idleRate) && !Has(_peak))
            yield return new("--idle-rate", "only with --peak, whose other hours have it, or with --within.");
    }

    /// <summary>The rates of the day's hours; null without the option.</summary>
    /// <param name="readsFiles">Whether the option may name a file.</param>
    public async Task<IReadOnlyList<double>?> ReadProfileAsync(CommandInput input, bool readsFiles, CancellationToken cancellationToken)
    {
        if (input.Value(_profile) is not { } given)
            return null;
        var isList = given.Contains(',') || !readsFiles;
        var rates = isList ? PartsOf(given, ',') : RatesOf(await InputFile.ReadAsync(given, "file of rates", cancellationToken));
        var (numbers, errors) = (new List<double>(), new List<InputError>());
        if (rates.Count != DailyLoad.Hours)
            errors.Add(new(
                ProfileOption, $"{Words.Amount(rates.Count, "rate")}, and a day has {DailyLoad.Hours} hours; give one for each."));
        foreach (var (hour, rate) in rates.Index())
        {
            if (double.TryParse(rate, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
                && number is >= 0 and <= SizeOptions.MaxRate)
            {
                numbers.Add(number);
                continue;
            }

            errors.Add(new(
                ProfileOption, $"{ErrorText.Quote(rate)}, the rate of hour {hour}, is not a number from 0 to 1,000,000,000."));
        }

        if (errors.Count == 0 && numbers.Max() < SizeOptions.MinRate)
            errors.Add(new(ProfileOption, $"its highest rate is below {SizeOptions.MinRate}."));
        return errors.Count == 0 ? numbers : throw new InputException(errors);
    }

    private static List<string> PartsOf(string text, params char[] separators) =>
        [.. text.Split(separators, StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)];

    /// <summary>
    /// The rates of a file: one a line, which may have its hour before it, or all on one line. A line of names may come first.
    /// </summary>
    private static List<string> RatesOf(string text)
    {
        var lines = PartsOf(text, '\n');
        if (lines.Count == 1)
            return PartsOf(lines[0], ',', ';');
        var rows = lines.Select(line => line.Split(',', ';')).ToList();
        if (rows.Count == DailyLoad.Hours + 1 && !rows[0].Any(part => double.TryParse(part, CultureInfo.InvariantCulture, out _)))
            rows.RemoveAt(0);
        var errors = rows.Index().Where(row => !IsRow(row.Item, row.Index)).Select(row => new InputError(
            ProfileOption,
            $"{ErrorText.Quote(string.Join(',', row.Item))}, line {row.Index + 1} of the rates, is neither a rate nor the hour "
                + $"{row.Index} and its rate. A rate has no comma.")).ToList();
        return errors.Count == 0 ? [.. rows.Select(row => row[^1].Trim())] : throw new InputException(errors);

        static bool IsRow(string[] parts, int hour) => parts.Length == 1
            || (parts.Length == 2 && int.TryParse(parts[0], NumberStyles.Integer, CultureInfo.InvariantCulture, out var number)
                && number == hour);
    }

    public TimeSpan? ReadPeak(CommandInput input) => SizeTimes.Read(_peak.Name, input.Value(_peak), TimeSpan.FromDays(1));

    public double ReadIdleRate(CommandInput input, double? rate)
    {
        var idle = SizeOptions.Number(input, _idleRate, 0, SizeOptions.MaxRate) ?? 0;
        return rate is { } busy && idle > busy
            ? throw new InputException(
                _idleRate.Name, $"{idle:0.##} is more than the rate, {busy:0.##}; the rate is that of the peak.")
            : idle;
    }

    /// <summary>How the account is bought.</summary>
    /// <param name="prices">Null if they have errors of their own.</param>
    /// <param name="spec">Null if it has errors of its own.</param>
    public AccountPlan ReadPlan(CommandInput input, PriceList? prices, RunSpec? spec)
    {
        var errors = new ErrorCollector([]);
        int RegionsOf(TextOption option, int least) => errors.Try(() =>
        {
            var number = SizeOptions.Number(input, option, least, AccountPlan.MaxRegions) ?? least;
            return number == Math.Floor(number)
                ? (int)number
                : throw new InputException(option.Name, $"'{input.Value(option)}' is not a whole number.");
        });
        var plan = new AccountPlan
        {
            WriteRegions = RegionsOf(_writeRegions, 1), ReadRegions = RegionsOf(_readRegions, 0),
            IsFreeTier = errors.Try(() => SizeOptions.IsSecond(input, _freeTier, "no", "yes")),
            Reserved = errors.Try(() => input.Value(_reserved) switch
            {
                null or "none" => Reservation.None,
                "1y" => Reservation.OneYear,
                "3y" => Reservation.ThreeYears,
                var other => throw new InputException(_reserved.Name, $"'{other}' is not one of none, 1y, 3y."),
            }),
        };
        if (plan.WriteRegions > 1)
        {
            if (plan.ReadRegions > 0)
                errors.Add(_readRegions.Name, "not beside several --write-regions: all regions are written then.");
            if (prices is { MultipleWritesUnitHour: null })
                errors.Add(_writeRegions.Name, "the price file has no multipleWritesUnitHour.");
            if ((spec?.Client.Consistency ?? spec?.Simulation?.Consistency) == ConsistencyLevel.Strong)
                errors.Add(_writeRegions.Name, "an account with several write regions has no Strong consistency.");
        }

        if (prices is not null && AccountPlan.DiscountOf(plan.Reserved, prices) is null)
        {
            var name = plan.Reserved == Reservation.OneYear ? "reservedYearDiscount" : "reservedThreeYearsDiscount";
            errors.Add(_reserved.Name, $"the price file has no {name}.");
        }

        errors.ThrowIfAny();
        return plan;
    }
}
