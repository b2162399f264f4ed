//! Accepts connections, lets so many requests run at a time, and answers.

use crate::question::{Batch, Refusal, Way, Wish, check_headers};
use crate::{Bounds, ServiceError, answer};
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;
use trefoil_execution::Suite;
use trefoil_execution::environment::Environment;
use trefoil_execution::sandbox::{Limits, Sandbox};

/// A server that listens already.
pub struct Service {
    listener: std::net::TcpListener,
    address: SocketAddr,
    shared: Shared,
}

/// What all requests see.
struct Shared {
    environments: BTreeMap<String, Environment>,
    sandbox: Box<dyn Sandbox>,
    limits: Limits,
    bounds: Bounds,
    is_loopback: bool,
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Service {
    /// Listens on an address: on one that others can reach only where `public` says so. Port 0 takes any that is free.
    pub fn bind(
        address: SocketAddr,
        public: bool,
        environments: Vec<Environment>,
        (sandbox, limits): (Box<dyn Sandbox>, Limits),
        bounds: Bounds,
    ) -> Result<Self, ServiceError> {
        let is_loopback = address.ip().is_loopback();
        if !is_loopback && !public {
            return Err(ServiceError::NotLoopback(address));
        }
        let mut named = BTreeMap::new();
        for environment in environments {
            let name = environment.folder().file_name().unwrap_or_default().to_string_lossy().into_owned();
            if named.insert(name.clone(), environment).is_some() {
                return Err(ServiceError::SameName(name));
            }
        }
        let listen = |cause| ServiceError::Listen { address, cause };
        let listener = std::net::TcpListener::bind(address).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let bounds = Bounds { jobs: bounds.jobs.max(1), connections: bounds.connections.max(1), ..bounds };
        let shared = Shared {
            environments: named,
            sandbox,
            limits,
            bounds,
            is_loopback,
            places: Arc::new(Semaphore::new(bounds.jobs)),
            waiting: AtomicUsize::new(0),
        };
        Ok(Self { listener, address, shared })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until the program ends.
    pub fn serve(self) -> Result<Infallible, ServiceError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(ServiceError::NoRuntime)?.block_on(accept(self.listener, Arc::new(self.shared)))
    }
}

async fn accept(listener: std::net::TcpListener, shared: Arc<Shared>) -> Result<Infallible, ServiceError> {
    let listener = tokio::net::TcpListener::from_std(listener).map_err(ServiceError::NoRuntime)?;
    let connections = Arc::new(Semaphore::new(shared.bounds.connections));
    loop {
        let Ok(place) = connections.clone().acquire_owned().await else { continue };
        let Ok((stream, _)) = listener.accept().await else {
            // Out of descriptors, or gone again: others may come.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let shared = shared.clone();
        tokio::spawn(async move {
            let arrival = Duration::from_secs(shared.bounds.arrival_seconds);
            let answer = service_fn(move |request| {
                let shared = shared.clone();
                async move { Ok::<_, Infallible>(respond(shared, request).await) }
            });
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(arrival);
            // Who hangs up half-way gets no answer, and needs none.
            let _ = connection.serve_connection(TokioIo::new(stream), answer).await;
            drop(place);
        });
    }
}

async fn respond(shared: Arc<Shared>, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let (status, body) = match handle(shared, request).await {
        Ok(body) => (StatusCode::OK, body),
        Err((status, message)) => (status, answer::error(&message)),
    };
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if status == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

async fn handle(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Vec<u8>, Refusal> {
    let wish = Wish::of(request.method(), request.uri().path())?;
    check_headers(request.headers(), shared.is_loopback, wish != Wish::List)?;
    let Wish::Run { environment, way } = wish else { return Ok(shared.list()) };
    if !shared.environments.contains_key(&environment) {
        let known: Vec<&str> = shared.environments.keys().map(String::as_str).collect();
        let message = format!("no environment is called {environment}; there are: {}", known.join(", "));
        return Err((StatusCode::NOT_FOUND, message));
    }
    let bytes = shared.body(request).await?;
    let batch = Batch::read(&bytes, &shared.bounds)?;
    drop(bytes);
    shared.run(environment, way, batch).await
}

impl Shared {
    /// The environments.
    fn list(&self) -> Vec<u8> {
        let limits = self.sandbox.in_force(&self.limits, false);
        let row = |(name, environment): (&String, &Environment)| {
            let recipe = &environment.recipe;
            serde_json::json!({
                "name": name, "host": recipe.host, "repository": recipe.repository, "commit": recipe.commit,
                "python": recipe.python,
            })
        };
        let rows: Vec<_> = self.environments.iter().map(row).collect();
        serde_json::json!({ "environments": rows, "limits": limits }).to_string().into_bytes()
    }

    async fn body(&self, request: Request<Incoming>) -> Result<Bytes, Refusal> {
        let most = self.bounds.body_bytes;
        let too_long = || (StatusCode::PAYLOAD_TOO_LARGE, format!("a request may have {most} bytes at most"));
        let told = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        if told.and_then(|value| value.parse::<usize>().ok()).is_some_and(|length| length > most) {
            return Err(too_long());
        }
        let patience = Duration::from_secs(self.bounds.arrival_seconds);
        let body = tokio::time::timeout(patience, Limited::new(request.into_body(), most).collect());
        match body.await {
            Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the request did not arrive in time".to_owned())),
            Ok(Err(cause)) if cause.is::<LengthLimitError>() => Err(too_long()),
            Ok(Err(cause)) => Err((StatusCode::BAD_REQUEST, format!("the request did not arrive: {cause}"))),
            Ok(Ok(body)) => Ok(body.to_bytes()),
        }
    }

    /// Runs a batch on as many places as it has cases, once they are free.
    async fn run(self: Arc<Self>, name: String, way: Way, batch: Batch) -> Result<Vec<u8>, Refusal> {
        let jobs = batch.cases.len().clamp(1, self.bounds.jobs);
        let waiting = Waiting::join(self.clone())?;
        let wanted = u32::try_from(jobs).unwrap_or(u32::MAX);
        let closed = |_| (StatusCode::SERVICE_UNAVAILABLE, "the server ends".to_owned());
        let places = self.places.clone().acquire_many_owned(wanted).await.map_err(closed)?;
        drop(waiting);
        let shared = self.clone();
        // The places go with the work: it is done to its end also where the caller hangs up.
        let work = tokio::task::spawn_blocking(move || {
            let answer = shared.work(&name, way, &batch, jobs);
            drop(places);
            answer
        });
        work.await.map_err(|cause| (StatusCode::INTERNAL_SERVER_ERROR, cause.to_string()))?
    }

    fn work(&self, name: &str, way: Way, batch: &Batch, jobs: usize) -> Result<Vec<u8>, Refusal> {
        let gone = || (StatusCode::NOT_FOUND, format!("no environment is called {name}"));
        let environment = self.environments.get(name).ok_or_else(gone)?.clone();
        let suite = Suite::new(environment, self.sandbox.as_ref(), self.limits, jobs);
        answer::run(&suite.map_err(|error| answer::fault(&error))?, way, batch, self.bounds.answer_bytes)
    }
}

/// A request in the queue; leaves it when dropped, also where its caller hung up.
struct Waiting(Arc<Shared>);

impl Waiting {
    fn join(shared: Arc<Shared>) -> Result<Self, Refusal> {
        let before = shared.waiting.fetch_add(1, Ordering::Relaxed);
        let most = shared.bounds.waiting;
        let waiting = Self(shared);
        if before >= most && waiting.0.places.available_permits() == 0 {
            return Err((
                StatusCode::SERVICE_UNAVAILABLE,
                format!("{most} requests wait already; come back"),
            ));
        }
        Ok(waiting)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}
