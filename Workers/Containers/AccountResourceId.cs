using System.Text.RegularExpressions;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Workers.Containers;

/// <summary>Azure resource id of a Cosmos DB account, and the paths of what is in it.</summary>
internal sealed partial class AccountResourceId
{
    private const string Shape = "/subscriptions/<id>/resourceGroups/<name>/providers/Microsoft.DocumentDB/databaseAccounts/<name>";

    private readonly string _path;

    private AccountResourceId(string path) => _path = path;

    /// <summary>The account's resource id.</summary>
    /// <exception cref="AccountException">It is none, or that of an account other than the endpoint's.</exception>
    public static AccountResourceId From(AccountConnection account)
    {
        var text = account.ResourceId ?? throw new AccountException("The account's resource id is missing.");
        if (Pattern().Match(text) is not { Success: true } match)
            throw new AccountException($"The account's resource id is malformed: it must look like {Shape}.");

        // A regional endpoint has the region behind the account's name.
        var (name, host) = (match.Groups["name"].Value, account.Endpoint.Host.Split('.')[0]);
        if (AzureEndpoints.Contains(account.Endpoint)
            && !host.Equals(name, StringComparison.OrdinalIgnoreCase)
            && !host.StartsWith(name + "-", StringComparison.OrdinalIgnoreCase))
        {
            throw new AccountException(
                $"The account's resource id names {name}, its endpoint {account.Endpoint.Host}: they must be the same account.");
        }

        return new AccountResourceId(text.TrimEnd('/'));
    }

    public string Database(string database) => $"{_path}/sqlDatabases/{Uri.EscapeDataString(database)}";

    public string Container(string database, string name) => $"{Database(database)}/containers/{Uri.EscapeDataString(name)}";

    [GeneratedRegex(
        @"^/subscriptions/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/resourceGroups/[-\w.()]{1,90}"
        + @"/providers/Microsoft\.DocumentDB/databaseAccounts/(?<name>[a-z0-9-]{3,50})/?\z",
        RegexOptions.IgnoreCase)]
    private static partial Regex Pattern();
}
