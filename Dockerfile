# The simulated account in a container:
#   docker build -t simulated-account .
#   docker run --rm -p 8081:8081 -p 8080:8080 -v account-data:/data simulated-account
# Direct clients use ports that the account chooses: run it with --network host for them.
FROM mcr.microsoft.com/dotnet/sdk:10.0@sha256:548d93f8a18a1acbe6cc127bc4f47281430d34a9e35c18afa80a8d6741c2adc3 AS build
WORKDIR /src
COPY . .
RUN dotnet publish DevBox -c Release -o /app

FROM mcr.microsoft.com/dotnet/aspnet:10.0@sha256:ddcf70ad1ab963a4fcd41fbd722a6b660e404e87567cfbd46fd2809c21b02088
WORKDIR /app
COPY --from=build /app ./
RUN mkdir /data && chown "$APP_UID" /data
USER $APP_UID
VOLUME /data
EXPOSE 8081 8080
HEALTHCHECK --interval=10s --timeout=3s CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /health HTTP/1.0\\r\\n\\r\\n' >&3 && grep -q healthy <&3"]
# SIGTERM is the stop that writes the data; a large account takes longer than the default of 10 seconds: docker stop -t 60.
ENTRYPOINT ["dotnet", "DevBox.dll", "account", "--listen", "0.0.0.0", "--port", "8081", "--http-port", "8080", "--data", "/data"]
