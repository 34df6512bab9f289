mod common;
use fathom_ir::*;
fn show(t:&fathom_term::TermStore, x: fathom_term::Term)->String{
  use fathom_term::Op;
  match t.op(x){Op::Var(v)=>t.var_name(v).to_string(),Op::Const(b)=>format!("{b}:{:?}",t.sort(x)),op=>{format!("({:?}{})",op,t.args(x).iter().map(|a|format!(" {}",show(t,*a))).collect::<String>())}}
}
#[test] fn dump(){
  let Ok(f)=std::env::var("DUMP") else {return};
  let opts=fathom_frontend_llvm::Options{model: if std::env::var("M32").is_ok(){fathom_frontend_llvm::DataModel::Ilp32}else{Default::default()},..Default::default()};
  let start=std::time::Instant::now();
  let l=match fathom_frontend_llvm::load(&f.split(',').map(|f|f.into()).collect::<Vec<_>>(),&opts,std::rc::Rc::new(fathom_term::TermStore::new())){Ok(l)=>l,Err(e)=>{println!("ERROR {e}");return}};
  println!("time {:?}",start.elapsed());
  let p=&l.program; let t=&p.terms;
  println!("valid {:?}",validate(p));
  for w in &l.warnings{println!("W {w}")} for a in &p.assumptions{println!("A {a}")}
  if std::env::var("QUIET").is_ok(){ return }
  for o in &p.objects{println!("obj {} size {} al {} ro {} {:?} {}",o.name,o.size,o.align,o.read_only,match &o.init{Initializer::Bytes{bytes,relocations}=>format!("{:?} {:?}",&bytes[..bytes.len().min(16)],relocations.iter().map(|r|(r.offset,show(t,r.value))).collect::<Vec<_>>()),o=>format!("{o:?}")},p.files.show(o.loc))}
  let vs=|v:&[fathom_term::VarId]|v.iter().map(|v|format!("{}:{:?}",t.var_name(*v),t.var_sort(*v))).collect::<Vec<_>>().join(",");
  for (i,q) in p.procedures.iter().enumerate(){println!("proc {i} {} ({}) -> ({}) var {:?} {}",q.name,vs(&q.params),vs(&q.results),q.variadic,p.files.show(q.loc));
    let Some(b)=&q.body else{continue};
    for (i,b) in b.blocks.iter().enumerate(){println!("  #{i} {}:",b.label);
      for s in &b.statements{ let x=match &s.kind{StatementKind::Assign(a)=>a.iter().map(|(v,x)|format!("{} := {}",t.var_name(*v),show(t,*x))).collect::<Vec<_>>().join(" || "),
        StatementKind::Havoc{vars,input}=>format!("havoc {} {:?}",vs(vars),input.as_ref().map(|i|&i.source)),
        StatementKind::Assume(x)=>format!("assume {}",show(t,*x)),
        StatementKind::Assert{condition,property,message}=>format!("assert {property} {} {message:?}",show(t,*condition)),
        StatementKind::Alloc{target,size,align,kind,zeroed,name}=>format!("{} := alloc {} {align} {kind:?} {zeroed} {name}",t.var_name(*target),show(t,*size)),
        StatementKind::Free{pointer}=>format!("free {}",show(t,*pointer)),
        StatementKind::Load{target,pointer,..}=>format!("{} := load {}",t.var_name(*target),show(t,*pointer)),
        StatementKind::Store{pointer,value}=>format!("store {} <- {}",show(t,*pointer),show(t,*value)),
        StatementKind::Copy{target,source,length}=>format!("copy {} {} {}",show(t,*target),show(t,*source),show(t,*length)),
        StatementKind::Call{targets,callee,args}=>format!("{} := call {} ({})",vs(targets),match callee{Callee::Direct(p2)=>p.procedure(*p2).name.clone(),Callee::Indirect(x)=>show(t,*x)},args.iter().map(|a|show(t,*a)).collect::<Vec<_>>().join(", ")),
        StatementKind::Watch(w)=>format!("watch {} {} {} = {}",w.type_name,w.variable,w.signed,show(t,w.value)),
        o=>format!("{o:?}")};
        println!("    {x}   @{}:{}",s.loc.line,s.loc.column)}
      println!("    -> {}",match &b.terminator.kind{TerminatorKind::Branch{condition,then,otherwise}=>format!("if {} {then:?} {otherwise:?}",show(t,*condition)),TerminatorKind::Switch(s)=>format!("switch {} {:?} {:?}",show(t,s.value),s.cases.iter().map(|(c,b)|(show(t,*c),b.0)).collect::<Vec<_>>(),s.default),o=>format!("{o:?}")})
    }}
}
