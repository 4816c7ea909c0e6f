namespace ScaleOut.Tests.Workers.Containers;

public sealed class AccountResourceIdTests
{
    private const string Good =
        "/subscriptions/0f8fad5b-d9cb-469f-a165-70867728950e/resourceGroups/my-group_(1)"
        + "/providers/Microsoft.DocumentDB/databaseAccounts/books";

    [Theory]
    [InlineData(Good)]
    [InlineData(Good + "/")]
    [InlineData(
        "/SUBSCRIPTIONS/0F8FAD5B-D9CB-469F-A165-70867728950E/resourcegroups/g/providers/microsoft.documentdb/databaseaccounts/Books")]
    public void From_WellFormed_GivesPathsBelowIt(string text)
    {
        var id = AccountResourceId.From(With(text));
        var target = new ContainerTarget("shop", "run-r1", "/id");
        Assert.Equal($"{text.TrimEnd('/')}/sqlDatabases/shop/containers/run-r1", id.Container(target));
    }

    [Theory]
    [InlineData("")]
    [InlineData("books")]
    [InlineData("/subscriptions/none/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/books")]
    [InlineData("/subscriptions/0f8fad5b-d9cb-469f-a165-70867728950e/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/books")]
    [InlineData(Good + "/sqlDatabases/shop")]
    [InlineData("https://management.azure.com" + Good)]
    [InlineData(Good + "\n")]
    public void From_Malformed_ShowsTheShape(string text)
    {
        var error = Assert.Throws<AccountException>(() => AccountResourceId.From(With(text)));
        Assert.Contains("databaseAccounts/<name>", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("https://books.documents.azure.com:443/")]
    [InlineData("https://books-westeurope.documents.azure.com:443/")]
    [InlineData("https://localhost:8081/")]
    public void From_SameAccountOrNoneInAzure_IsAccepted(string endpoint) => AccountResourceId.From(With(Good, endpoint));

    [Theory]
    [InlineData("https://movies.documents.azure.com:443/")]
    [InlineData("https://bookshop.documents.azure.com:443/")]
    public void From_AnotherAccount_Throws(string endpoint)
    {
        var error = Assert.Throws<AccountException>(() => AccountResourceId.From(With(Good, endpoint)));
        Assert.Contains("same account", error.Message, StringComparison.Ordinal);
    }

    private static AccountConnection With(string resourceId, string endpoint = "https://books.documents.azure.com/") =>
        new() { Endpoint = new Uri(endpoint), ResourceId = resourceId };
}
