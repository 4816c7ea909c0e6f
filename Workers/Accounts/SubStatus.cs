namespace ScaleOut.Workers.Accounts;

/// <summary>Sub-statuses of the service that change what a status means (<c>SubStatusCodes</c> of the SDK).</summary>
internal static class SubStatus
{
    /// <summary>Beside 403: this region takes no writes.</summary>
    public const int WriteForbidden = 3;

    /// <summary>Beside 404: the replica has not seen the session's last write.</summary>
    public const int ReadSessionNotAvailable = 1002;

    /// <summary>Beside 404: it is the container that is missing, not a document.</summary>
    public const int OwnerMissing = 1003;

    /// <summary>Beside 403: the account is not in this region.</summary>
    public const int AccountNotFound = 1008;

    /// <summary>Beside 404: the container is still being made.</summary>
    public const int ContainerCreateInProgress = 1013;

    /// <summary>Beside 403: the document's partition key holds as much as it can, which says nothing of the client.</summary>
    public const int PartitionKeyFull = 1014;
}
