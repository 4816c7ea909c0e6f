namespace ScaleOut.Simulator.Protocol;

/// <summary>
/// The messages of errors as the service's gateway writes them: with the activity and the library, and a replica's errors as JSON.
/// </summary>
internal static class ErrorTexts
{
    /// <summary>The library that the service names in errors, and its version.</summary>
    private const string Library = "Microsoft.Azure.Documents.Common/2.14.0";

    /// <summary>Stands for the address of the replica that responded.</summary>
    private const string Replica = "/apps/simulated/services/account/partitions/0/replicas/0p";

    /// <summary>The message of an error that the gateway itself makes.</summary>
    /// <param name="errors">JSON of a query's errors; null for other errors.</param>
    public static string OfGateway(string message, string? errors, OperationType operation, string activity)
    {
        var text = errors is null ? message
            : operation == OperationType.QueryPlan ? $"Gateway Failed to Retrieve Query Plan: Message: {errors}"
            : $"Message: {errors}";
        return $"{text}\r\nActivityId: {activity}, {Library}";
    }

    /// <param name="errors">JSON of the errors.</param>
    public static string OfReplica(string errors, string activity) => $"Message: {errors}{ReplicaTail(activity)}";

    /// <summary>The gateway's own message for an item that is missing, exists, or has another version; null for other errors.</summary>
    public static string? OfItem(int status, int subStatus, long nowTicks, string activity)
    {
        var text = (status, subStatus) switch
        {
            (ServiceStatus.NotFound, 0) =>
                "Entity with the specified id does not exist in the system. More info: https://aka.ms/cosmosdb-tsg-not-found",
            (ServiceStatus.Conflict, 0) => "Entity with the specified id already exists in the system.",
            (ServiceStatus.PreconditionFailed, 0) =>
                "Operation cannot be performed because one of the specified precondition is not met.",
            _ => null,
        };
        var time = new DateTime(nowTicks, DateTimeKind.Utc);
        return text is null ? null : string.Create(
            CultureInfo.InvariantCulture, $"{text}, \r\nRequestStartTime: {time:O}, RequestEndTime: {time:O}{ReplicaTail(activity)}");
    }

    private static string ReplicaTail(string activity) =>
        $"\r\nActivityId: {activity}, Request URI: {Replica}, RequestStats: , SDK: {Library}";
}
