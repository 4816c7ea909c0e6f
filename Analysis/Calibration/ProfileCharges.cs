namespace ScaleOut.Analysis.Calibration;

/// <summary>Charges from runs in which each operation was charged once.</summary>
internal static class ProfileCharges
{
    /// <summary>Largest difference between a stated charge and the true one: the service states two decimals.</summary>
    private const double Rounding = 0.005;

    public static ChargeFigures From(IReadOnlyList<ProfileRun> runs, DocumentSizes sizes)
    {
        List<ProfileRun> single = [.. runs.Where(run => run.IsUndisturbed && !run.Spec.Workload.UsesBulk)];
        List<ProfileRun> inserts = [.. single.Where(run => run.Spec.Workload.Kind == WorkloadKind.Insert)];
        return new ChargeFigures
        {
            Reads = BySize(single.Where(run => run.Spec.Workload.Kind == WorkloadKind.Read), sizes),
            Writes = BySize(inserts.Where(run => run.IndexEntries == 0), sizes),
            PerIndexEntry = PerIndexEntry(inserts),
            Law = LawOf(single, sizes),
        };
    }

    private static LawCheck? LawOf(IEnumerable<ProfileRun> runs, DocumentSizes sizes)
    {
        var charges =
            (from run in runs
             where run.Spec.Workload.Kind is WorkloadKind.Insert or WorkloadKind.Delete or WorkloadKind.Read
             let isRead = run.Spec.Workload.Kind == WorkloadKind.Read
             let bytes = sizes.BytesOf(run)
             where bytes is not null && (isRead || (run.IndexEntries >= 0 && !RunEstimate.AssumesEntries(run.Spec)))
             group OfOneReplica(run)
                 by (IsRead: isRead, run.Spec.Workload.Kind, Bytes: bytes.Value, Entries: isRead ? 0 : run.IndexEntries)
             into alike
             select (Measured: alike.Average(),
                 Step: RequestUnits.FromTwentyFirsts(alike.Key.IsRead ? 1 : ChargeModel.WriteReplicas).Value,
                 Law: alike.Key.IsRead
                     ? ChargeModel.Default.Read(alike.Key.Bytes)
                     : ChargeModel.Default.Create(alike.Key.Bytes, alike.Key.Entries)))
            .ToList();
        return charges.Count == 0 ? null : new LawCheck(
            charges.Count,
            charges.Count(one => IsSame(one.Measured, Math.Round(one.Measured / one.Step) * one.Step)),
            charges.Count(one => IsSame(one.Measured, one.Law.Value)));

        static bool IsSame(double measured, double exact) => Math.Abs(measured - exact) <= Rounding + 1e-9;
    }

    /// <summary>Compares predicted and measured charges of operations that no figure of the profile is made from.</summary>
    public static IReadOnlyList<ChargeCheck> ChecksOf(AccountProfile profile, IReadOnlyList<ProfileRun> runs, DocumentSizes sizes)
    {
        if (profile.Charges.Writes.Count < ChargeSpec.MinPoints)
            return [];
        var model = ChargeSpec.ModelOf(ProfileSimulation.From(profile).Charges);
        return
        [
            .. from run in runs
               where run.IsUndisturbed && run.Spec.Workload.Kind is WorkloadKind.Batch or WorkloadKind.Delete or WorkloadKind.Bulk
               where run.IndexEntries == 0 || (run.IndexEntries > 0 && profile.Charges.PerIndexEntry is not null)
               let bytes = sizes.BytesOf(run)
               where bytes is not null
               group run by (run.Spec.Workload.Kind, run.Spec.Workload.DocumentsPerOperation, Bytes: bytes.Value, run.IndexEntries)
               into alike
               select new ChargeCheck(
                   NameOf(alike.Key.Kind, alike.Key.DocumentsPerOperation, alike.Key.Bytes, alike.Key.IndexEntries),
                   alike.Average(run => run.RequestUnitsPerOperation),
                   (model.Create(alike.Key.Bytes, alike.Key.IndexEntries) * alike.Key.DocumentsPerOperation).Value),
        ];
    }

    private static string NameOf(WorkloadKind kind, int documents, long bytes, int entries) =>
        $"{kind.ToString().ToLowerInvariant()}{(documents > 1 ? $" of {Numbers.Count(documents)}" : "")}, "
            + $"{Numbers.Brief(bytes / 1024.0)} KB{(entries > 0 ? $", {Numbers.Count(entries)} index entries" : "")}";

    private static IReadOnlyList<SizeFigure> BySize(IEnumerable<ProfileRun> runs, DocumentSizes sizes) =>
    [
        .. from run in runs
           let bytes = sizes.BytesOf(run)
           where bytes is not null
           group run by bytes.Value into alike
           orderby alike.Key
           let figure = Blocks.Mean(alike.Select(OfOneReplica), Rounding)
           where figure is not null
           select new SizeFigure(alike.Key, figure),
    ];

    private static double OfOneReplica(ProfileRun run) => run.Spec.Workload.Kind == WorkloadKind.Read && run.AsksTwoReplicas
        ? run.RequestUnitsPerOperation / ChargeModel.StrongReadFactor
        : run.RequestUnitsPerOperation;

    /// <summary>RU of one index entry, from inserts of the same documents with and without index entries.</summary>
    private static MeasuredFigure? PerIndexEntry(List<ProfileRun> inserts)
    {
        var plain = inserts.Where(run => run.IndexEntries == 0).GroupBy(run => run.DocumentKey)
            .ToDictionary(group => group.Key, group => group.Average(run => run.RequestUnitsPerOperation));
        List<ProfileRun> indexed = [.. inserts.Where(run => run.IndexEntries > 0 && plain.ContainsKey(run.DocumentKey))];
        return indexed.Count == 0
            ? null
            : Blocks.Mean(
                indexed.Select(run => (run.RequestUnitsPerOperation - plain[run.DocumentKey]) / run.IndexEntries),
                2 * Rounding / indexed.Min(run => run.IndexEntries));
    }
}
