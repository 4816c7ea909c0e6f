namespace ScaleOut.Workers.Accounts;

/// <summary>Sub-statuses that change the meaning of a status (<c>SubStatusCodes</c> of the SDK).</summary>
internal static class SubStatus
{
    /// <summary>With 403: this region does not accept writes.</summary>
    public const int WriteForbidden = 3;

    /// <summary>With 403: the identity has no role that allows the request. All codes up to <see cref="LastOfRoles"/> mean this.</summary>
    public const int FirstOfRoles = 5300;

    public const int LastOfRoles = 5399;

    /// <summary>With 404: the replica has not seen the session's last write.</summary>
    public const int ReadSessionNotAvailable = 1002;

    /// <summary>With 404: it is the container that is missing, not a document.</summary>
    public const int OwnerMissing = 1003;

    /// <summary>With 403: the account is not in this region.</summary>
    public const int AccountNotFound = 1008;

    /// <summary>With 404: the container is still being created.</summary>
    public const int ContainerCreateInProgress = 1013;

    /// <summary>With 403: the document's logical partition is full.</summary>
    public const int PartitionKeyFull = 1014;
}
