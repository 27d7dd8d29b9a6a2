//! Twins of tine's protocols: the same operations with the same orders, small enough for loom to try every schedule with
//! few preemptions. `twins` lists the twins, `twins NAME [long]` explores one of them, and `twins orders` lists every order with
//! its weaker forms. If TINE_WEAKEN holds one of those lines, the exploration weakens that order.

mod parker;
mod deque;
mod request;
mod join;
mod pre_sleep_check;
mod places;
mod split_join;

use places::Place;

struct Twin {
    name: &'static str,
    places: &'static [Place],
    preemptions: usize,
    run: fn(),
}

const TWINS: &[Twin] = &[
    Twin { name: "deque", places: deque::PLACES, preemptions: 3, run: deque::run },
    Twin { name: "deque_two_thieves", places: deque::PLACES, preemptions: 2, run: deque::run_two_thieves },
    Twin { name: "join", places: join::PLACES, preemptions: 4, run: join::run },
    Twin { name: "request", places: request::PLACES, preemptions: 4, run: request::run },
    Twin { name: "parker", places: parker::PLACES, preemptions: 4, run: parker::run },
    Twin { name: "pre_sleep_check", places: pre_sleep_check::PLACES, preemptions: 3, run: pre_sleep_check::run },
    Twin { name: "split_join", places: split_join::PLACES, preemptions: 4, run: split_join::run },
];

fn explore(twin: &Twin, long: bool) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(twin.preemptions + usize::from(long));
    builder.max_branches = 10_000;
    builder.check(twin.run);
    println!("{:<16} held in every schedule with at most {} preemptions", twin.name, builder.preemption_bound.unwrap());
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        None => TWINS.iter().for_each(|t| println!("{}", t.name)),
        Some("orders") => {
            for t in TWINS {
                // two twins have the same orders; the first of them lists the orders
                if t.name != "deque_two_thieves" {
                    places::weakenings(t.places).iter().for_each(|w| println!("{} {}", t.name, w));
                }
            }
        }
        Some(name) => match TWINS.iter().find(|t| t.name == name) {
            Some(twin) => explore(twin, args.get(1).is_some()),
            None => {
                eprintln!("no twin {name}");
                std::process::exit(2);
            }
        },
    }
}
